import Bluebonnet

/// A response as reports and the waits before them.
struct StubScript: Sendable {
    struct Step: Sendable {
        var delay: Duration
        /// Nil where nothing more comes.
        var report: Exchange.Report?
    }

    private(set) var steps: [Step] = []

    /// Decodes the body as a real transport does, for the exchange that is answered.
    init(_ response: StubResponse, answering exchange: Exchange) {
        guard let statusCode = response.statusCode else {
            steps = [Step(delay: response.delay, report: Self.end(response.end, of: exchange, 0))]
            return
        }
        let isBodiless = exchange.method == "HEAD" || statusCode == 204 || statusCode == 304
        var fields = response.fields
        if !response.body.isEmpty, !fields.contains(where: { $0.isFraming }) {
            fields.append(Exchange.Field(name: "Content-Length", value: "\(response.body.count)"))
        }
        let head = Exchange.Head(statusCode: statusCode, fields: fields)
        let body = isBodiless ? Data() : response.body.prefix(response.sentCount ?? .max)
        steps = [Step(delay: response.delay, report: Exchange.Report(head: head))]
        do {
            let decoder = try Exchange.BodyDecoder(head: head, exchange: exchange)
            steps[0].report?.codings = decoder.codings
            try append(body, of: response, decoder)
            if case .whole = response.end { try decoder.finish() }
            append(Self.end(response.end, of: exchange, body.count), response.trailers)
        } catch {
            append(Self.end(.failure(error), of: exchange, body.count), nil)
        }
    }

    private mutating func append(
        _ body: Data, of response: StubResponse, _ decoder: Exchange.BodyDecoder
    ) throws(Exchange.Failure) {
        var rest = body[...]
        while !rest.isEmpty {
            let piece = rest.prefix(response.pieceSize ?? .max)
            rest = rest.dropFirst(piece.count)
            let chunks = try decoder.decode(piece)
            add(Exchange.Report(body: chunks), after: response.pieceInterval)
        }
    }

    private mutating func append(_ end: Exchange.Report?, _ trailers: [Exchange.Field]?) {
        guard var end else { return steps.append(Step(delay: .zero, report: nil)) }
        end.trailers = trailers
        add(end, after: .zero)
    }

    /// Adds to the last report what comes at the same time.
    private mutating func add(_ report: Exchange.Report, after delay: Duration) {
        guard delay <= .zero, var last = steps.popLast() else {
            return steps.append(Step(delay: delay, report: report))
        }
        last.report?.body += report.body
        last.report?.trailers = report.trailers
        last.report?.end = report.end
        steps.append(last)
    }

    private static func end(
        _ end: StubResponse.End, of exchange: Exchange, _ count: Int
    ) -> Exchange.Report? {
        var metrics = Exchange.Metrics()
        metrics.responseBodyBytes = Int64(count)
        return switch end {
        case .whole: Exchange.Report(end: Exchange.End(metrics: metrics, wasSent: true))
        case .failure(let failure):
            Exchange.Report(
                end: Exchange.End(
                    failure: failure, metrics: metrics, wasSent: !failure.precedesRequest))
        case .never: nil
        }
    }
}

extension Exchange.Failure {
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
