import Bluebonnet
import BluebonnetTesting

/// A place for a cassette in a folder that is removed with its contents.
final class TemporaryCassette: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "cassette-\(UUID().uuidString)")
    /// The cassette's file, in a folder that does not exist yet.
    var file: URL { folder.appendingPathComponent("Cassettes/test.json") }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var text: String {
        get throws { String(decoding: try Data(contentsOf: file), as: UTF8.self) }
    }

    /// Records requests to a transport and returns the text of the cassette.
    func record(
        from transport: any Transport, _ redaction: Redactor = Redactor(),
        _ requests: (Cassette) async throws -> Void
    ) async throws -> String {
        let cassette = try Cassette(
            at: file, mode: .recordAnew, recordingFrom: transport, redaction: redaction)
        try await requests(cassette)
        try cassette.verify()
        return try text
    }

    func write(_ text: String) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Writes a cassette with the given interactions.
    func write(interactions: String) throws {
        try write("{\n\"cassetteVersion\": 1,\n\"interactions\": [\n\(interactions)\n]}\n")
    }
}

/// The reports of an exchange.
struct Outcome: Sendable {
    var head: Exchange.Head?
    var codings: Exchange.ContentCodings?
    var pieces: [Data] = []
    var trailers: [Exchange.Field]?
    var end: Exchange.End?

    var body: Data { Data(pieces.joined()) }
    var text: String { String(decoding: body, as: UTF8.self) }
    var failure: Exchange.Failure? { end?.failure }
    var headers: [String] { head?.fields.map { "\($0.name): \($0.value)" } ?? [] }
}

/// Waits for the end of an exchange and returns its reports.
private final class OutcomeSink: ExchangeSink {
    private let outcome = Locked(Outcome())
    private let whenOver: @Sendable (Outcome) -> Void

    init(_ whenOver: @escaping @Sendable (Outcome) -> Void) {
        self.whenOver = whenOver
    }

    func receive(_ report: consuming Exchange.Report) {
        let report = report
        let outcome = outcome.withLock { outcome in
            if let head = report.head { outcome.head = head }
            if let codings = report.codings { outcome.codings = codings }
            outcome.pieces += report.body.map(\.data)
            if let trailers = report.trailers { outcome.trailers = trailers }
            outcome.end = report.end
            return outcome
        }
        if outcome.end != nil { whenOver(outcome) }
    }
}

extension Transport {
    /// Performs an exchange without a session.
    func outcome(
        _ method: String = "GET", _ url: String, _ fields: [String: String] = [:],
        body: Exchange.Body? = nil
    ) async -> Outcome {
        var exchange = Exchange(
            method: method, url: url, fields: HTTPHeaders(fields).fields, pool: Exchange.Pool())
        exchange.body = body
        return await withCheckedContinuation { continuation in
            start(exchange, reportingTo: OutcomeSink { continuation.resume(returning: $0) })
        }
    }
}
