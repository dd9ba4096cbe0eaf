import Foundation

extension SessionTask {
    /// Returns the task's request as a command line for `curl`.
    ///
    /// ```
    /// $ curl -v \
    ///     -X POST \
    ///     -H 'Content-Type: application/json' \
    ///     --data-binary '{"name":"Ada","password":"<redacted>"}' \
    ///     'https://api.example.com/users'
    /// ```
    ///
    /// The command contains the request as it was last sent, or will be sent next, after adapters
    /// and redirects. Before the task starts, it contains the original request and the manager's
    /// header fields, cookies and known credentials. The text grows with a body in memory. Files
    /// are shown by path. Streams and forms are omitted with a note, and so is the body of an
    /// upload that has ended.
    ///
    /// The command omits the proxy, the Unix socket of the route, address overrides, the interface,
    /// the HTTP version, the client certificate, trust settings and timeouts. Add the options of
    /// `curl` that you need.
    ///
    /// By default, `<redacted>` replaces logins, and the values of header fields, cookies, query
    /// items, form items and JSON members that are secret according to ``SecretFieldNames``.
    /// Secrets in other places, such as XML or a path, are shown unless the task has also sent them
    /// as secrets. A body is omitted with a note if it is not text, has a content coding, or looks
    /// like JSON but cannot be parsed.
    ///
    /// - Parameter includingSecrets: Whether to show all values, so that a POSIX shell sends the
    ///   same request. The default is false.
    /// - Returns: The command after `$ `, over several lines. For a request that cannot be built,
    ///   the result is `$ curl command could not be created`.
    public func cURLDescription(includingSecrets: Bool = false) -> String {
        delegate.cURLDescription(includingSecrets: includingSecrets)
    }
}

extension TaskDelegate {
    /// Returns the current request as a command line.
    package func cURLDescription(includingSecrets: Bool) -> String {
        guard let source = CURLSource.of(self), let command = try? source.command() else {
            return CURLCommand.unavailable
        }
        if includingSecrets { return command.text }
        var redactor = errorContext.sent
        redactor.request = source.request
        return command.redacted(by: redactor).text
    }
}
