import Bluebonnet
import BluebonnetFixtureServer
import Foundation
import FoundationNetworking
import Testing

@Suite("A secret that a server echoes", .timeLimit(.minutes(5)))
struct EchoTests {
    /// One that fits in an excerpt, and one that is longer.
    static let secrets = ["Canary+7f3a/9", String(long)]
    private static let long = (0..<400).map { (number: Int) -> Character in
        characters[(number * number * 31 + number * 7) % 64]
    }
    private static let characters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    /// A serializer whose error quotes the start of the body.
    struct Quoting: ResponseSerializer {
        var acceptableStatusCodes: Set<Int>?
        var acceptableContentTypes: Set<String>?

        func serialize(_ data: Data, head: ResponseHead?) throws -> Data {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: [],
                    debugDescription: String(decoding: data.prefix(90), as: UTF8.self)))
        }
    }

    @Test(
        "it is in no text of an error, from any source and in any form",
        arguments: EchoCase.allCases)
    func forms(source: EchoCase) async throws {
        for secret in Self.secrets {
            let server = try EchoServer()
            let texts = PrintedTexts()
            let manager = try source.manager(server, secret)
            for form in EchoForm.allCases {
                for before in secret.count < 120 ? [60] : [112] {
                    let request = source.request(server, form, secret, before: before)
                    let response = await manager.response(
                        for: request, serializer: HTTPResponseSerializer())
                    texts.add(form.rawValue, try #require(response.error))
                }
            }
            Self.expectNone(of: secret, server, in: texts)
            #expect(texts.all.contains { $0.text.contains("<redacted>") })
        }
    }

    @Test(
        "it is in no text of any kind of task, of a serializer, or of a notification",
        arguments: EchoCase.allCases)
    func kinds(source: EchoCase) async throws {
        let secret = Self.secrets[1]
        let server = try EchoServer()
        let texts = PrintedTexts()
        let manager = try source.manager(server, secret)
        manager.taskDidComplete = { (task: SessionTask, error: BluebonnetError?) in
            texts.add("completion", task)
            if let error { texts.add("completion", error) }
        }
        let observer = Self.observe(server, texts)
        defer { NotificationCenter.default.removeObserver(observer) }
        let request = source.request(server, .json, secret, before: 70)
        let good = source.request(server, .text, secret, before: 70, status: 200)
        await texts.add(
            "data", manager.response(for: request, serializer: JSONResponseSerializer()))
        await texts.add(
            "type", manager.response(for: good, serializer: JSONResponseSerializer()))
        await texts.add("reason", manager.response(for: good, serializer: Quoting()))
        await texts.add("upload", Self.upload(request, manager))
        await texts.add("download", Self.download(request, manager))
        await texts.add("stream", Self.stream(request, manager))
        Self.expectNone(of: secret, server, in: texts)
        for place in ["data", "type", "reason", "upload", "download", "stream", "completion"] {
            #expect(
                texts.all.contains { $0.place == place && $0.text.contains("<redacted>") },
                "\(place)")
        }
    }

    private static func upload(_ request: URLRequest, _ manager: HTTPSessionManager) async -> Any {
        var request = request
        request.httpMethod = "POST"
        return await withCheckedContinuation { continuation in
            manager.uploadTask(with: request, from: Data("x".utf8)) {
                continuation.resume(returning: $0)
            }.resume()
        }
    }

    private static func download(_ request: URLRequest, _ manager: HTTPSessionManager) async -> Any
    {
        await withCheckedContinuation { continuation in
            manager.downloadTask(with: request) { continuation.resume(returning: $0) }.resume()
        }
    }

    private static func stream(_ request: URLRequest, _ manager: HTTPSessionManager) async -> Any {
        do {
            return try await manager.stream(for: request)
        } catch {
            return error
        }
    }

    /// Observes notifications without the parsed body, which observers get unchanged.
    private static func observe(
        _ server: EchoServer, _ texts: PrintedTexts
    ) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(
            forName: SessionTask.didCompleteNotification, object: nil, queue: nil
        ) { notification in
            let task = notification.object as? SessionTask
            guard task?.originalRequest?.url?.query?.contains(server.mark) == true else { return }
            var userInfo = notification.userInfo ?? [:]
            userInfo[SessionTask.NotificationKey.serializedResponse] = nil
            texts.add("notification", userInfo)
        }
    }

    /// Expects that no text has twelve consecutive characters of a secret, in any escaped form.
    private static func expectNone(
        of secret: String,
        _ server: EchoServer,
        in texts: PrintedTexts,
        _ location: SourceLocation = #_sourceLocation
    ) {
        // It was sent.
        let sent = server.fixture.recordedRequests.map { "\($0.target) \($0.headers)" }.joined()
        #expect(!server.secrets.isEmpty || sent.contains("?key="), sourceLocation: location)
        let lines = Set(texts.all.flatMap { $0.text.split(separator: "\n") })
        let told = Set(lines.flatMap { windows(of: $0) })
        for piece in server.secrets.union([secret]).flatMap(pieces) {
            let isTold = windows(of: piece).allSatisfy(told.contains)
            let place = isTold ? texts.all.first { $0.text.contains(piece) } : nil
            #expect(!isTold, "\(piece) \(place.map { "\($0)" } ?? "")", sourceLocation: location)
        }
    }

    /// Returns pieces of eight characters in every form.
    ///
    /// Any twelve characters contain one.
    private static func pieces(of secret: String) -> [String] {
        let shown = Array(secret.prefix(140))
        return stride(from: 0, through: shown.count - 8, by: 4).flatMap { start in
            EchoForm.allCases.map { $0.escaped(String(shown[start..<(start + 8)])) }
        }
    }

    /// Returns all sequences of eight bytes.
    private static func windows(of text: some StringProtocol) -> [UInt64] {
        var window: UInt64 = 0
        return text.utf8.enumerated().compactMap { index, byte in
            window = window << 8 | UInt64(byte)
            return index < 7 ? nil : window
        }
    }
}
