import BluebonnetTransport
import Foundation

/// The reports of one answer.
struct ResponseScript {
    private(set) var reports: [Exchange.Report] = []
    private(set) var lateReports: [Exchange.Report] = []
    /// The first byte that the request asks for; nil for the whole.
    let firstByte: Int?

    /// The bytes of every body, different at each offset, so that a piece shows where it belongs.
    static func bytes(_ range: Range<Int>) -> Data { Data(all[range]) }

    static let largestSize = 100_000

    private static let all = (0..<largestSize).map {
        UInt8(truncatingIfNeeded: $0 * 7 + $0 >> 8)
    }

    init(_ answer: TaskLifePlan.Answer, to exchange: Exchange, _ plan: TaskLifePlan) {
        firstByte = Self.firstByte(of: exchange)
        var fields = [Exchange.Field(name: "Content-Type", value: "application/octet-stream")]
        var (status, start) = (answer.status, 0)
        switch answer.role {
        case .redirect: fields.append(.init(name: "Location", value: "/next"))
        case .challenge: fields.append(.init(name: "WWW-Authenticate", value: "Basic realm=\"r\""))
        case .final where status == 302 || status == 307:
            fields.append(.init(name: "Location", value: "/next"))
        case .final: break
        }
        if plan.kind == .download, plan.sendsRanges, status == 200 {
            fields.append(.init(name: "ETag", value: "\"flower\""))
            fields.append(.init(name: "Accept-Ranges", value: "bytes"))
            if let first = firstByte, first < answer.size {
                (status, start) = (206, first)
                fields.append(
                    .init(
                        name: "Content-Range",
                        value: "bytes \(first)-\(answer.size - 1)/\(answer.size)"))
            }
        }
        fields.append(.init(name: "Content-Length", value: "\(answer.size - start)"))
        let head = Exchange.Head(statusCode: status, fields: fields)
        let end = answer.lostAfter.map { max(start, min($0, answer.size)) } ?? answer.size
        var pieces = stride(from: start, to: end, by: answer.pieceSize).map { offset in
            Exchange.Chunk(Data(Self.bytes(offset..<min(end, offset + answer.pieceSize))))
        }
        let failure = answer.lostAfter.map {
            Exchange.Failure(
                $0 < 0 ? .cannotConnectToHost : .networkConnectionLost, message: "lost")
        }
        if answer.lostAfter == -1 {
            reports = [Exchange.Report(end: Exchange.End(failure: failure, wasSent: false))]
            return
        }
        if answer.misconduct == .bodyBeforeHead {
            reports.append(Exchange.Report(body: [Exchange.Chunk(Data([1]))]))
        } else if answer.misconduct == .endWithoutHead {
            reports = [Exchange.Report(end: Exchange.End())]
            return
        }
        var first = Exchange.Report(head: head)
        if answer.isGathered {
            first.body = Array(pieces.prefix(2))
            pieces.removeFirst(min(2, pieces.count))
        }
        reports.append(first)
        if answer.misconduct == .secondHead { reports.append(Exchange.Report(head: head)) }
        reports += pieces.map { Exchange.Report(body: [$0]) }
        if answer.isGathered {
            reports[reports.count - 1].end = Exchange.End(failure: failure)
        } else {
            reports.append(Exchange.Report(end: Exchange.End(failure: failure)))
        }
        let excess = [
            Exchange.Report(body: [Exchange.Chunk(Data([1]))]),
            Exchange.Report(end: Exchange.End()),
        ]
        if answer.misconduct == .afterEnd { reports += excess }
        if answer.misconduct == .afterNext { lateReports = excess }
    }

    private static func firstByte(of exchange: Exchange) -> Int? {
        let range = exchange.fields.first { $0.name.lowercased() == "range" }?.value
        return range?.split(separator: "=").last?.split(separator: "-").first.flatMap { Int($0) }
    }
}
