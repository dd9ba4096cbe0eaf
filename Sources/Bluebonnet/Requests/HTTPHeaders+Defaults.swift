import BluebonnetTransport

extension HTTPHeaders {
    /// The `User-Agent` and `Accept-Encoding` fields that every task sends by default.
    ///
    /// If you remove a field from a copy and assign the copy to
    /// ``SessionConfiguration/additionalHeaders``, the field is not sent.
    public static let sessionDefault: HTTPHeaders = {
        var headers = HTTPHeaders()
        headers.addDefaults(of: HTTPHeaders(defaultFields))
        return headers
    }()

    /// The fields that every request has unless the configuration changes them: ``sessionDefault``.
    public static var `default`: HTTPHeaders { .sessionDefault }

    static let defaultFields: [Field] = [.defaultUserAgent, .defaultAcceptEncoding]
}

extension HTTPHeaders.Field {
    /// The default `User-Agent` field: the name and version of the library.
    ///
    /// It has no system version, which would tell an attacker which vulnerabilities to try.
    public static let defaultUserAgent = userAgent("Bluebonnet/\(BluebonnetVersion.current)")

    /// The default `Accept-Encoding` field: the content codings that the library decodes.
    public static let defaultAcceptEncoding = acceptEncoding(ContentDecoder.acceptEncoding)

    /// Alamofire's field with the languages of the user, which a server does not have.
    @available(*, unavailable, message: "name the languages: .acceptLanguage(\"en\")")
    public static var defaultAcceptLanguage: Self { acceptLanguage("*") }
}
