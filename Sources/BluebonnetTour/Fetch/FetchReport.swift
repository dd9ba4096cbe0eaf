import Bluebonnet

/// Prints heads, details and failures of a fetch; the body is printed elsewhere.
struct FetchReport: Sendable {
    let options: FetchOptions
    let output: Terminal
    let errors: Terminal
    let redaction: Redaction

    private var heads: HeadText { HeadText(redaction: redaction) }

    /// Prints the URL on a terminal, if there are several.
    func begin(_ name: String) {
        guard options.urls.count > 1, output.isTerminal, !options.isRaw else { return }
        output.print(output.styled(output.oneLine(name), .bold))
    }

    /// Prints a request, with `-v`.
    func request(_ request: URLRequest) {
        detail(heads.lines(of: request), mark: ">")
    }

    /// Prints a redirect and the request that follows it, with `-v`.
    func redirect(_ head: ResponseHead, to request: URLRequest) {
        detail(heads.lines(of: head), mark: "<")
        self.request(request)
    }

    /// Prints the response's head where it is wanted, and the target of a redirect.
    func head(_ head: ResponseHead, of name: String) {
        detail(heads.lines(of: head), mark: "<")
        let isShown = output.isTerminal && !options.isVerbose && !options.isRaw && isBodyShown
        if options.includesHead || isShown { write(heads.lines(of: head)) }
        guard (300..<400).contains(head.statusCode), let location = head.value(of: "Location")
        else { return }
        let status = HeadText.statusText(of: head)
        let advice = options.followsRedirects ? "" : "; follow it with -L"
        note("\(name): \(status), redirects to \(redaction.url(location))\(advice)")
    }

    func metrics(_ metrics: TaskMetrics?) {
        guard options.isVerbose, let metrics else { return }
        for line in MetricsText.lines(of: metrics) { errors.print("* \(line)") }
    }

    /// Prints why and when a request is retried.
    func retry(_ name: String, after seconds: TimeInterval, because error: BluebonnetError) {
        let status = error.isStatus ? error.context.head.map(HeadText.statusText) : nil
        let reason = status.map { "\(name): the status is \($0)" } ?? "\(error)"
        note("\(reason); retrying in \(String(format: "%.1f s", seconds))")
    }

    /// Prints a line to standard error.
    func note(_ text: String) {
        errors.print(errors.oneLine(text))
    }

    func failure(_ text: String) {
        errors.print(errors.styled(errors.oneLine(text), .red))
    }

    private var isBodyShown: Bool { options.destination == .standardOutput }

    private func detail(_ lines: [String], mark: String) {
        guard options.isVerbose else { return }
        for (index, line) in lines.enumerated() {
            let shown = errors.oneLine(line)
            errors.print("\(mark) \(index == 0 ? errors.styled(shown, .bold) : shown)")
        }
        errors.print(mark)
    }

    /// Writes a head as in HTTP/1.1, or with colors on a terminal.
    private func write(_ lines: [String]) {
        guard output.isTerminal else {
            return output.write(lines.map { $0 + "\r\n" }.joined() + "\r\n")
        }
        for (index, line) in lines.enumerated() {
            let shown = output.oneLine(line)
            if index == 0 {
                let isError = line.dropFirst("HTTP ".count).first.map { "45".contains($0) } == true
                output.print(output.styled(shown, isError ? .red : .green))
            } else {
                let name = shown.prefix { $0 != ":" }
                output.print(output.styled(String(name), .cyan) + shown.dropFirst(name.count))
            }
        }
        output.print("")
    }
}
