import Bluebonnet

extension Interaction {
    /// The maximum number of bytes in one report; windows of streams accept no larger pieces.
    private static let pieceSize = 64 * 1024

    /// Returns the recorded reports for an exchange, with the delays before them.
    func steps(answering exchange: Exchange) -> [ReportPlayer.Step] {
        var steps: [ReportPlayer.Step] = []
        if let response {
            let head = Exchange.Head(
                statusCode: response.statusCode, fields: fields(answering: exchange))
            let report = Exchange.Report(head: head, codings: response.codings)
            steps.append(.init(delay: response.delay, report: report))
            for (delay, bytes) in pieces(of: response.body) {
                let report = Exchange.Report(body: [Exchange.Chunk(bytes)])
                steps.append(.init(delay: delay, report: report))
            }
        }
        steps.append(.init(report: lastReport))
        return steps
    }

    private func pieces(of body: RecordedBody) -> [(Duration, Data)] {
        var rest = body.data[...]
        // The delays of pieces that redaction emptied are included.
        var delay = Duration.zero
        let whole = RecordedBody.Piece(delay: .zero, count: rest.count)
        return (body.pieces ?? [whole]).flatMap { piece in
            var (pieces, bytes) = ([(Duration, Data)](), rest.prefix(piece.count))
            rest = rest.dropFirst(piece.count)
            delay += piece.delay
            while !bytes.isEmpty {
                pieces.append((delay, Data(bytes.prefix(Self.pieceSize))))
                bytes = bytes.dropFirst(Self.pieceSize)
                delay = .zero
            }
            return pieces
        }
    }

    /// The last report; nil if the session ended the exchange, which it will do again.
    private var lastReport: Exchange.Report? {
        var metrics = Exchange.Metrics()
        metrics.protocolVersion = response?.version ?? ""
        let count = Int64(response?.body.data.count ?? 0)
        (metrics.responseBodyBytes, metrics.decodedBodyBytes) = (count, count)
        switch end {
        case .cancelled: return nil
        case .whole:
            return Exchange.Report(
                trailers: response?.trailers, end: Exchange.End(metrics: metrics, wasSent: true))
        case .failure(let failure):
            return Exchange.Report(
                trailers: response?.trailers,
                end: Exchange.End(failure: failure, metrics: metrics, wasSent: wasSent))
        }
    }

    /// Returns the header fields, with the current length of a whole body.
    ///
    /// Placeholders, reformatted JSON and manual edits change the length.
    private func fields(answering exchange: Exchange) -> [Exchange.Field] {
        guard let response, case .whole = end, exchange.method != "HEAD",
            response.statusCode != 204, response.statusCode != 304,
            response.codings?.removed.isEmpty ?? true
        else { return response?.fields ?? [] }
        return response.fields.map { field in
            guard field.name.lowercased() == "content-length" else { return field }
            return Exchange.Field(name: field.name, value: "\(response.body.data.count)")
        }
    }
}
