#if HTTPTypes
public import Bluebonnet
public import HTTPTypes

extension HTTPRequest {
    /// Creates a request from the method, the URL and the header fields of a `URLRequest`.
    ///
    /// The body, and the user, password and fragment of the URL are left out.
    ///
    /// - Throws: ``BluebonnetError/invalidRequest(_:_:)`` for a URL without scheme or host, and for a
    ///   method or a field that cannot be represented.
    public init(_ request: URLRequest) throws(BluebonnetError) {
        func fault(_ reason: String) -> BluebonnetError {
            .invalidRequest(reason, .init(request: request))
        }
        let text = request.url?.absoluteURL.absoluteString ?? ""
        guard let mark = text.range(of: "://"), mark.lowerBound > text.startIndex,
            !text[..<mark.lowerBound].utf8.contains(where: { "/?#:".utf8.contains($0) })
        else {
            throw fault("the URL has no scheme and host")
        }
        let rest = text[mark.upperBound...].prefix { $0 != "#" }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let start = rest[..<end].lastIndex(of: "@").map(rest.index(after:)) ?? rest.startIndex
        let (authority, path) = (rest[start..<end], rest[end...])
        guard !authority.isEmpty else { throw fault("the URL has no host") }
        let method = request.httpMethod ?? "GET"
        guard let method = Method(method) else { throw fault("the method is not a token") }
        do throws(RequestSerializationError) {
            self.init(
                method: method, scheme: String(text[..<mark.lowerBound]),
                authority: String(authority), path: (path.hasPrefix("/") ? "" : "/") + path,
                headerFields: try HTTPFields(request.headers))
        } catch {
            throw .invalidRequest("\(error)", .init(request: request, underlying: error))
        }
    }
}

extension URLRequest {
    /// Creates a `URLRequest` from the method, the URL and the header fields of a request.
    ///
    /// Several values of one name are joined, those of `Cookie` by semicolons.
    ///
    /// - Throws: ``BluebonnetError/invalidRequest(_:_:)`` if the scheme, authority and path do not
    ///   form a URL. The path must begin with a slash, and the authority has no user.
    public init(_ request: HTTPRequest) throws(BluebonnetError) {
        guard let scheme = request.scheme, let authority = request.authority, !scheme.isEmpty,
            !authority.isEmpty
        else {
            throw .invalidRequest("the HTTPRequest needs a scheme and an authority", .init())
        }
        let isToken = scheme.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") }
        guard isToken, !authority.utf8.contains(where: { "/\\?#@".utf8.contains($0) }) else {
            throw .invalidRequest(
                "the scheme or the authority of the HTTPRequest has a character of other parts",
                .init())
        }
        try self.init(request, below: "\(scheme)://\(authority)")
    }

    /// Creates a `URLRequest` from a request whose path continues the text of a URL.
    init(_ request: HTTPRequest, below base: String) throws(BluebonnetError) {
        let path = request.path ?? ""
        guard path.isEmpty || path.utf8.first == UInt8(ascii: "/"),
            !path.utf8.contains(UInt8(ascii: "#")), request.extendedConnectProtocol == nil,
            request.method != .connect
        else {
            throw .invalidRequest(
                """
                the HTTPRequest cannot be sent to a URL: its path must begin with a slash and have \
                no #, and its method must not be CONNECT
                """, .init())
        }
        guard let url = URL(string: base + path, encodingInvalidCharacters: false),
            url.host()?.isEmpty == false
        else {
            throw .invalidRequest(
                "the scheme, authority and path of the HTTPRequest do not form a URL with a host",
                .init())
        }
        self.init(url: url)
        httpMethod = request.method.rawValue
        headers = HTTPHeaders(request.headerFields)
        // Commas would join the cookies to one.
        if let cookies = request.headerFields[.cookie] { headers["Cookie"] = cookies }
    }
}
#endif
