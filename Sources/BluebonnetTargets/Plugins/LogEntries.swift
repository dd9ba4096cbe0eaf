import BluebonnetChain

/// Creates the log entries of a call.
struct LogEntries {
    let configuration: NetworkLoggerPlugin.Configuration
    let target: any TargetType

    private static let longestBody = 64 * 1024

    /// The type of the target, and the case of an enum without its associated values, which can be
    /// secret.
    private var name: String {
        let target = (target as? MultiTarget)?.target ?? target
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum else { return "\(type(of: target))" }
        return "\(type(of: target)).\(mirror.children.first?.label ?? "\(target)")"
    }

    func entry(_ identifier: String, _ message: String) -> String {
        configuration.formatter.entry(identifier, message, target)
    }

    // MARK: Requests

    func items(of type: any RequestType) -> [String] {
        guard var request = type.request else { return [entry("Request", "(invalid request)")] }
        let options = configuration.logOptions
        var headers = HTTPHeaders(type.sessionHeaders)
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            headers.update(name: name, value: value)
        }
        // The request is not sent yet, so only this tells the redactor what it will contain.
        if request.url != nil { request.headers = headers }
        let task = (type as? PreparedRequest)?.handle.delegate
        var redactor = task?.errorContext.sent ?? TaskRedactor(of: nil)
        redactor.request = request
        let url = request.url?.withoutSecrets ?? "(no URL)"
        var items = [entry("Request", redactor.redacted(url, by: .library))]
        if options.contains(.requestHeaders) {
            items.append(
                entry("Request Headers", list(headers.sorted(), redactor, by: .library)))
        }
        if options.contains(.requestBody) {
            if let stream = request.httpBodyStream {
                items.append(entry("Request Body Stream", stream.description))
            }
            if let body = request.httpBody {
                let shown = redactor.redacted(
                    body, contentType: headers["Content-Type"],
                    isCoded: headers.contains("Content-Encoding"), by: .library,
                    limit: Self.longestBody)
                items.append(
                    entry(
                        "Request Body",
                        text(of: body, shown, redactor, configuration.formatter.requestData)))
            }
        }
        if options.contains(.requestMethod), let method = request.httpMethod {
            items.append(entry("HTTP Request Method", method))
        }
        return items
    }

    // MARK: Responses

    func items(of result: Result<TargetResponse, TargetError>) -> [String] {
        let options = configuration.logOptions
        switch result {
        case .success(let response):
            return items(of: response, withBody: options.contains(.successResponseBody))
        case .failure(let error):
            guard let response = error.response else {
                return [entry("Error", "Error calling \(name) : \(error)")]
            }
            return items(
                of: response,
                withBody: !options.isDisjoint(with: [.successResponseBody, .errorResponseBody]))
        }
    }

    private func items(of response: TargetResponse, withBody: Bool) -> [String] {
        guard let head = response.head else {
            return [entry("Response", "Received empty network response for \(name).")]
        }
        let redactor = response.redactor
        let url = redactor.redacted(head.url.withoutSecrets, by: .library)
        let fields = list(head.headers, redactor, by: .server)
        var items = [entry("Response", "\(head.statusCode) \(url) \(fields)")]
        if withBody {
            let shown = redactor.redacted(
                response.data, contentType: head.mimeType,
                isCoded: head.contentCodings?.unknown.isEmpty == false, by: .server,
                limit: Self.longestBody)
            items.append(
                entry(
                    "Response Body",
                    text(
                        of: response.data, shown, redactor, configuration.formatter.responseData)))
        }
        return items
    }

    // MARK: Texts

    private func list(
        _ headers: HTTPHeaders, _ redactor: TaskRedactor, by author: TaskRedactor.Author
    ) -> String {
        // Once for all fields, because each search looks for the secrets of the request's body.
        let fields = headers.map { "\($0.name): \(redactor.value(of: $0))" }
        return "[\(redactor.redacted(fields.joined(separator: ", "), by: author))]"
    }

    private func text(
        of body: Data, _ redacted: TaskRedactor.RedactedBody, _ redactor: TaskRedactor,
        _ format: NetworkLoggerPlugin.Formatter.DataFormatterType
    ) -> String {
        let cut = body.prefix(upToCharacterAt: Self.longestBody)
        let text =
            switch redacted {
            case .text(let text): format(Data(text.utf8))
            case .opaque(let note) where String(validating: cut, as: UTF8.self) != nil: note
            // The formatter may know the format, and can then find secrets in it.
            case .opaque: redactor.redacted(format(cut), contentType: nil)
            }
        return body.count > cut.count ? text + "… (\(body.count) bytes)" : text
    }
}
