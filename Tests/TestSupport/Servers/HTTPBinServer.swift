import Foundation

/// httpbin under gunicorn on a loopback port: cookies, digest authentication, redirects and forms
/// from an independent server.
///
/// `scripts/setup --dev` installs both in `.build/httpbin`. The server takes about half a second to
/// start, so a test should use it for several checks.
package final class HTTPBinServer: Sendable {
    private let process: ServerProcess
    private let reserved: ReservedPort

    package init() async throws {
        let python = PackageDirectory.url(of: ".build/httpbin/bin/python").path
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw ServerFailure("httpbin is missing: run scripts/setup --dev, which installs it")
        }
        reserved = try ReservedPort()
        // With --preload, it listens only when it can respond. SIGQUIT does not wait for
        // connections.
        process = try await ServerProcess.start(
            python,
            ["-m", "gunicorn", "--preload", "--bind", "127.0.0.1:\(reserved.number)"]
                + ["--worker-class", "gthread", "--threads", "8", "--access-logfile", "-"]
                // On a busy machine, it would close connections just as they are used, and stop its
                // own worker.
                + ["--keep-alive", "75", "--timeout", "0"]
                + ["--no-control-socket", "httpbin:app"],
            in: ServerDirectory(), ports: [reserved], stopSignal: .quit)
    }

    package var port: UInt16 { reserved.number }

    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    package var log: String { process.log }

    package func stop() { process.stop() }
}
