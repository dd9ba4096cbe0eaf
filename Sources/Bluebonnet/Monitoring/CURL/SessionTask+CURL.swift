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
    /// it is the original request with what the manager adds: header fields, cookies, and known credentials. Proxies,
    /// client certificates and timeouts are not part of it. The text grows with a body in memory. A file stands there
    /// by its path, and a stream is said to be missing. So is the body of an upload that has ended.
    ///
    /// By default `<redacted>` takes the place of logins, and of the values of header fields, cookies, query items,
    /// form items and JSON members that are secret by ``SecretFieldNames``. Secrets in other places, such as XML or a
    /// path, are shown unless they are secrets that the task has sent. A body that is not text, or has a content
    /// coding, is left out.
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
