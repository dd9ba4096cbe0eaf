import Bluebonnet

/// Makes the request of a fetch.
enum FetchRequest {
    static func make(
        _ options: FetchOptions, url: URL, body: Data?, login: FetchOptions.Login?
    ) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = options.method ?? (body == nil ? "GET" : "POST")
        request.httpBody = body
        var fields = HTTPHeaders()
        if let body = options.body {
            fields["Content-Type"] = body.contentType
            if case .json = body { fields["Accept"] = "application/json" }
        }
        if let login {
            fields.update(
                .authorization(username: login.user, password: login.password ?? ""))
        }
        // Replaces the fields above; a name that is given twice gets both values.
        for field in options.fields { fields.remove(field.name) }
        request.headers = HTTPHeaders(fields.fields + options.fields)
        return request
    }
}
