import Bluebonnet
import Glibc

/// One URL to fetch, with its request, its manager, and its report.
struct FetchJob {
    let options: FetchOptions
    /// The URL without secrets.
    let name: String
    let request: URLRequest
    let report: FetchReport
    let api: HTTPSessionManager

    init(
        _ options: FetchOptions, target: FetchTarget, login: FetchOptions.Login?, body: Data?,
        output: Terminal, errors: Terminal
    ) {
        self.options = options
        name = target.name
        request = FetchRequest.make(options, url: target.url, body: body, login: login)
        report = FetchReport(
            options: options, output: output, errors: errors,
            redaction: Redaction(login: login, fields: options.fields))
        api = FetchManager.make(options, target: target, login: login, report: report)
    }

    /// The rule, unlike the hook, accepts redirects that could not be followed.
    var redirects: RequestOptions {
        options.followsRedirects ? [] : .redirects(.doNotFollow)
    }

    /// Accepts any content type, and with `-f` no status of an error.
    var serializer: HTTPResponseSerializer {
        HTTPResponseSerializer(acceptableStatusCodes: options.failsAtErrors ? Set(200..<400) : nil)
    }

    // Each of these reports a failure, unless the program was interrupted, and returns false.

    func fail(_ error: BluebonnetError) -> Bool {
        if case .unacceptableStatus(_, let context) = error, let head = context.head {
            report.head(head, of: name)
            let status = HeadText.statusText(of: head)
            return fail("the status is \(status); without -f its body is shown")
        }
        guard !Task.isCancelled else { return false }
        report.failure(FailureText.text(of: error, name: name))
        return false
    }

    func fail(writing path: String, _ number: Int32) -> Bool {
        // The program ends because of this, without a message.
        guard number != EPIPE else { return false }
        return fail("could not write \(path): \(FailureText.text(ofSystemError: number))")
    }

    private func fail(_ text: String) -> Bool {
        guard !Task.isCancelled else { return false }
        report.failure("\(name): \(text)")
        return false
    }
}
