import Bluebonnet

/// Makes the request of a fetch.
enum FetchRequest {
    static func make(
        _ options: FetchOptions, url: URL, body: Data?, login: FetchOptions.Login?
    ) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = options.method ?? (body == nil ? "GET" : "POST")
        request.httpBody = body
        if let body = options.body {
            request.setValue(body.contentType, forHTTPHeaderField: "Content-Type")
            if case .json = body {
                request.setValue("application/json", forHTTPHeaderField: "Accept")
            }
        }
        if let login {
            let field = HTTPHeader.authorization(
                username: login.user, password: login.password ?? "")
            request.setValue(field.value, forHTTPHeaderField: field.name)
        }
        // Replaces the fields above; a name that is given twice gets both values.
        var names: Set<String> = []
        for field in options.fields {
            if names.insert(field.name.lowercased()).inserted {
                request.setValue(field.value, forHTTPHeaderField: field.name)
            } else {
                request.addValue(field.value, forHTTPHeaderField: field.name)
            }
        }
        return request
    }
}
