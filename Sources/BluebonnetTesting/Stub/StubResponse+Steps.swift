import Bluebonnet

extension StubResponse {
    /// The response as reports, and the waits before them, for the exchange that is answered.
    ///
    /// The body is decoded as a real transport does.
    func steps(answering exchange: Exchange) -> [ReportPlayer.Step] {
        var steps = StubSteps()
        guard let head = head(answering: exchange) else {
            steps.add(end(sending: 0), after: delay)
            return steps.all
        }
        let isBodiless =
            exchange.method == "HEAD" || head.statusCode == 204 || head.statusCode == 304
        let declared = head["Content-Length"].flatMap { Int($0) }
        let sent = min(declared ?? .max, sentCount ?? .max)
        let body = isBodiless ? Data() : self.body.prefix(sent)
        let isCutShort = !isBodiless && body.count < declared ?? 0
        steps.add(Exchange.Report(head: head), after: delay)
        do throws(Exchange.Failure) {
            let decoder = try Exchange.BodyDecoder(head: head, exchange: exchange)
            steps.add(Exchange.Report(codings: decoder.codings))
            try add(body, to: &steps, decoder)
            if case .whole = end {
                if isCutShort { throw .cutShort }
                try decoder.finish()
            }
            steps.add(end(sending: body.count))
        } catch {
            steps.add(Self.failure(error).end(sending: body.count))
        }
        return steps.all
    }

    /// Nil where no response comes.
    private func head(answering exchange: Exchange) -> Exchange.Head? {
        guard let statusCode else { return nil }
        var fields = fields
        let mayHaveBody = statusCode != 204 && statusCode != 304
        if mayHaveBody, !fields.contains(where: { $0.isFraming }) {
            fields.append(Exchange.Field(name: "Content-Length", value: "\(body.count)"))
        }
        return Exchange.Head(statusCode: statusCode, fields: fields)
    }

    private func add(
        _ body: Data, to steps: inout StubSteps, _ decoder: Exchange.BodyDecoder
    ) throws(Exchange.Failure) {
        var rest = body[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieceSize ?? .max)
            rest = rest.dropFirst(piece.count)
            steps.add(Exchange.Report(body: try decoder.decode(piece)), after: pieceInterval)
        }
    }

    /// The end after so many bytes of the body; nil where there is none.
    private func end(sending count: Int) -> Exchange.Report? {
        var metrics = Exchange.Metrics()
        metrics.responseBodyBytes = Int64(count)
        switch end {
        case .whole:
            return Exchange.Report(
                trailers: trailers, end: Exchange.End(metrics: metrics, wasSent: true))
        case .failure(let failure):
            let wasSent = statusCode != nil || !failure.precedesRequest
            return Exchange.Report(
                end: Exchange.End(failure: failure, metrics: metrics, wasSent: wasSent))
        case .never: return nil
        }
    }
}

/// The steps of a response, with what comes at the same time in one report.
private struct StubSteps {
    private(set) var all: [ReportPlayer.Step] = []

    mutating func add(_ report: Exchange.Report?, after delay: Duration = .zero) {
        guard let report, delay <= .zero, var last = all.popLast() else {
            return all.append(ReportPlayer.Step(delay: delay, report: report))
        }
        if let codings = report.codings { last.report?.codings = codings }
        last.report?.body += report.body
        last.report?.trailers = report.trailers
        last.report?.end = report.end
        all.append(last)
    }
}

extension Exchange.Failure {
    /// The failure of a body that is shorter than its length says.
    fileprivate static let cutShort = Self(
        .networkConnectionLost,
        message: "the body of the stub's response is shorter than its Content-Length")

    /// Whether a real transport fails so before it has sent anything.
    fileprivate var precedesRequest: Bool {
        let codes: Set<URLError.Code> = [
            .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
            .secureConnectionFailed, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .serverCertificateUntrusted,
        ]
        return timeout == .connect || timeout == .queue || codes.contains(code)
    }
}

extension Exchange.Field {
    /// Whether it says where the body ends.
    fileprivate var isFraming: Bool {
        ["content-length", "transfer-encoding"].contains(name.lowercased())
    }
}
