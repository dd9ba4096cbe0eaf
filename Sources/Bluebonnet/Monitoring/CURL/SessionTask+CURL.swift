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
    /// It is the request as it was last sent, or is about to be, after adapters and redirects. Before the task starts
    /// it is the original request with what the manager adds: header fields, cookies, and known credentials. The text
    /// grows with a body in memory. Files appear by path. Streams and forms are omitted with a note. So is the body of
    /// an upload that has ended.
    ///
    /// The command has no proxy, no Unix socket of the route, no address overrides, no interface, no HTTP version, no
    /// client certificate, no rules of trust and no timeouts. Add the options of `curl` for those that matter.
    ///
    /// By default `<redacted>` takes the place of logins, and of the values of header fields, cookies, query items,
    /// form items and JSON members that are secret by ``SecretFieldNames``. Secrets in other places, such as XML or a
    /// path, are shown unless they are secrets that the task has sent. A body is omitted with a note if it is not
    /// text, has a content coding, or looks like JSON and cannot be parsed.
    ///
    /// - Parameter includingSecrets: Whether to show everything, so that a POSIX shell sends the same request. The
    ///   default is false.
    /// - Returns: The command behind `$ `, over several lines; `$ curl command could not be created` for a request
    ///   that cannot be built.
    public func cURLDescription(includingSecrets: Bool = false) -> String {
        delegate.cURLDescription(includingSecrets: includingSecrets)
    }
}

extension Request {
    /// Returns the request as a command line for `curl`; see ``SessionTask/cURLDescription(includingSecrets:)``.
    ///
    /// - Parameter includingSecrets: Whether to show everything. The default is false.
    /// - Returns: The command, or that it could not be created.
    public func cURLDescription(includingSecrets: Bool = false) -> String {
        delegate.cURLDescription(includingSecrets: includingSecrets)
    }
}

extension TaskDelegate {
    /// The current request as a command line.
    func cURLDescription(includingSecrets: Bool) -> String {
        guard let source = CURLSource.of(self), let command = try? source.command() else {
            return CURLCommand.unavailable
        }
        if includingSecrets { return command.text }
        var redactor = errorContext.sent
        redactor.request = source.request
        return command.redacted(by: redactor).text
    }
}
