import Bluebonnet

extension StubResponse {
    /// Returns the reports of the response to an exchange, with the delays before them.
    ///
    /// The body is decoded as by a real transport.
    func steps(answering exchange: Exchange) -> [ReportPlayer.Step] {
        var steps = StubSteps()
        guard let parts = parts(answering: exchange.method) else {
            steps.add(report(of: end), after: delay)
            return steps.all
        }
        steps.add(Exchange.Report(head: parts.head), after: delay)
        do throws(Exchange.Failure) {
            let decoder = try Exchange.BodyDecoder(head: parts.head, exchange: exchange)
            steps.add(Exchange.Report(codings: decoder.codings))
            for piece in parts.pieces {
                steps.add(Exchange.Report(body: try decoder.decode(piece)), after: pieceInterval)
            }
            if case .whole = parts.end {
                if parts.isCutShort { throw .cutShort }
                try decoder.finish()
            }
            steps.add(report(of: parts.end, parts.bodyCount, trailers: parts.trailers))
        } catch {
            steps.add(report(of: .failure(error), parts.bodyCount))
        }
        return steps.all
    }

    /// Returns the report of an end after a number of bytes of the body; nil for no end.
    private func report(
        of end: End, _ count: Int = 0, trailers: [Exchange.Field]? = nil
    ) -> Exchange.Report? {
        var metrics = Exchange.Metrics()
        metrics.responseBodyBytes = Int64(count)
        if statusCode != nil { metrics.protocolVersion = "HTTP/1.1" }
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

/// The steps of a response; reports at the same time are combined.
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
    /// The failure of a body that is shorter than its declared length.
    fileprivate static let cutShort = Self(
        .networkConnectionLost,
        message: "the body of the stub's response is shorter than its Content-Length")

    /// Whether a real transport reports this failure before it has sent anything.
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
