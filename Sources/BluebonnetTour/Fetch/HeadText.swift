import Bluebonnet

/// Formats the heads of requests and responses, without secrets.
struct HeadText {
    let redaction: Redaction

    /// Returns the status and the header fields of a response.
    func lines(of head: ResponseHead) -> [String] {
        [Self.statusLine(of: head)] + head.headers.map(redaction.field)
    }

    /// Returns the method, the target and the header fields of a request, as they are sent.
    func lines(of request: URLRequest) -> [String] {
        let method = request.httpMethod ?? "GET"
        let url = request.url?.absoluteString ?? ""
        let fields = Self.fields(of: request)
        return ["\(method) \(redaction.url(Self.target(in: url)))"] + fields.map(redaction.field)
    }

    static func statusLine(of head: ResponseHead) -> String {
        // Without a version, which is known only when the response has ended.
        "HTTP \(statusText(of: head))"
    }

    /// The status code and its reason phrase.
    static func statusText(of head: ResponseHead) -> String {
        let phrase = HTTPURLResponse.localizedString(forStatusCode: head.statusCode)
        return "\(head.statusCode) \(phrase)"
    }

    /// Returns the path and the query of a URL.
    private static func target(in url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let path = rest.drop { !"/?#".contains($0) }.prefix { $0 != "#" }
        return path.hasPrefix("/") ? String(path) : "/\(path)"
    }

    /// Returns the fields of the request, with those that the manager and libcurl add.
    private static func fields(of request: URLRequest) -> [HTTPHeaders.Field] {
        var fields = HTTPHeaders(request.allHTTPHeaderFields ?? [:])
        for field in HTTPHeaders.sessionDefault where !fields.contains(field.name) {
            fields.add(field.name, field.value)
        }
        if !fields.contains("Accept") { fields.add("Accept", "*/*") }
        if let url = request.url, !fields.contains("Host") {
            let port = url.port.map { ":\($0)" } ?? ""
            fields = HTTPHeaders([.init(name: "Host", value: "\(url.host ?? "")\(port)")] + fields)
        }
        if let body = request.httpBody, !fields.contains("Content-Length") {
            fields.add("Content-Length", "\(body.count)")
        }
        return Array(fields)
    }
}
