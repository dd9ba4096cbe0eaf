import BluebonnetFixtureServer
import Foundation

/// A server that echoes requests, as debugging pages do.
///
/// `/echo/form?field=Name&before=n` echoes a field, or the target, after `n` other characters, and
/// then everything else. `status=` sets its status code, and `asks=` the required authentication.
struct EchoServer: Sendable {
    let fixture: FixtureServer

    init() throws {
        fixture = try FixtureServer()
        fixture.recordsRequests = true
        for form in EchoForm.allCases {
            fixture.route("/echo/\(form.rawValue)") { Self.reply(to: $0, in: form) }
        }
    }

    /// A part of each request's query that distinguishes its notifications from others.
    var mark: String { "run=\(fixture.baseURL.filter(\.isNumber))" }

    private static func reply(to request: FixtureRequest, in form: EchoForm) -> FixtureReply {
        let items = URLComponents(string: "/?" + (request.query ?? ""))?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        if let scheme = value("asks"), request.headers["Authorization"] == nil {
            let ask = "\(scheme) realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"
            return .response(status: 401, headers: [("WWW-Authenticate", ask)], body: [])
        }
        let before = String(repeating: "-", count: value("before").flatMap { Int($0) } ?? 0)
        let field = value("field") ?? ""
        let sent = field == "target" ? request.target : request.headers[field] ?? ""
        let login = sent.hasPrefix("Basic ") ? Data(base64Encoded: String(sent.dropFirst(6))) : nil
        let told =
            [login.map { String(decoding: $0, as: UTF8.self) }, sent].compactMap(\.self)
            + items.compactMap(\.value) + request.headers.map { "\($0.name): \($0.value)" }
        let body = form.document(before + form.escaped(told.joined(separator: "\n")))
        return .response(
            status: value("status").flatMap { Int($0) } ?? 500,
            headers: [
                ("Content-Type", form.contentType), ("X-Echo", form.escaped(sent)),
            ],
            body: Array(body.utf8)
        )
    }

    /// The received secrets of at least 12 characters, as its requests contain them.
    var secrets: Set<String> {
        let names = ["Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "X-Tenant"]
        let values = fixture.recordedRequests.flatMap { request in
            names.compactMap { request.headers[$0] }
        }
        // The URI in a Digest field is the request's own.
        let words = values.flatMap { $0.split { " ,;\"".contains($0) } }
        return Set(
            words.map(String.init).filter {
                $0.count >= 12 && !$0.hasPrefix("/echo") && !$0.hasPrefix("algorithm")
            })
    }
}
