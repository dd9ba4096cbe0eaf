import Bluebonnet
import BluebonnetFixtureServer
import Foundation
import FoundationNetworking
import Testing

/// Sends a secret in every possible place, with every possible end of a task, and keeps all texts
/// of the library's values.
final class CanaryRun: Sendable {
    static let secret = "Canary+7f3a/9"
    /// The forms in which it could appear.
    static let forms = [
        secret, "Canary%2B7f3a%2F9", "Canary+7f3a%2F9", Data(secret.utf8).base64EncodedString(),
        Data("user:\(secret)".utf8).base64EncodedString(),
    ]

    let server: FixtureServer
    private let texts = PrintedTexts()

    init() throws {
        server = try FixtureServer()
        server.recordsRequests = true
        let cookie = [("Set-Cookie", "session=\(Self.secret); Path=/")]
        server.route("/ok") { _ in .response(status: 200, headers: cookie, body: Array("{}".utf8)) }
        server.route("/hop") { _ in
            .response(status: 302, headers: cookie + [("Location", "/ok?\(Self.forms[1])")])
        }
        server.route("/userinfo") { _ in
            let place = "http://user:\(Self.forms[1])@a.test/?\(Self.forms[1])"
            return .response(status: 302, headers: cookie + [("Location", place)])
        }
        server.route("/no-url") { _ in
            let place = "http://user:\(Self.secret)@[/?\(Self.secret)"
            return .response(status: 302, headers: [("Location", place)])
        }
        server.route("/told") { request in
            let told = request.headers["Authorization"] ?? ""
            return .text("you said \(told) and \(request.headers["Cookie"] ?? "")", status: 500)
        }
        server.route("/no-json") { request in
            let told = request.headers["Authorization"] ?? ""
            return .json("\(told) \(told)")
        }
        server.route("/407") { _ in
            .response(
                status: 407, headers: [("Proxy-Authenticate", "Basic realm=\"r\"")] + cookie)
        }
        for (path, scheme) in [
            ("/basic", "Basic realm=\"r\""), ("/digest", "Digest realm=\"r\", nonce=\"n\""),
        ] {
            let asks = [("WWW-Authenticate", scheme)] + cookie
            server.route(path) { request in
                let isAnswered =
                    request.headers["Authorization"] != nil && request.query == "right"
                return isAnswered
                    ? .response(status: 200, headers: cookie, body: Array("{}".utf8))
                    : .response(status: 401, headers: asks)
            }
        }
    }

    /// Keeps every text that a program could create from a value.
    func add(_ place: String, _ value: Any) { texts.add(place, value) }

    func manager(
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.additionalHeaders["X-Api-Key"] = Self.secret
        configuration.timeouts.head = 1
        change(&configuration)
        let manager = HTTPSessionManager(configuration: configuration)
        manager.willStart = { [self] in add("start", $0) }
        manager.taskDidComplete = { [self] task, error in
            add("completion", task)
            add("completion", task.delegate)
            if let error { add("completion", error) }
        }
        manager.taskWillPerformHTTPRedirection = { [self] task, head, request in
            add("redirect", task)
            add("redirect", head)
            return request
        }
        manager.didReceiveChallenge = { [self] task, challenge in
            add("challenge", task)
            add("challenge", challenge)
            let answer = ChallengeDisposition.useCredential(
                URLCredential(user: "user", password: Self.secret, persistence: .forSession))
            add("challenge", answer)
            return answer
        }
        return manager
    }

    /// Sends a request with secrets and keeps the resulting texts.
    func send(
        _ url: String,
        with manager: HTTPSessionManager,
        isOwn: Bool = true,
        cancels: Bool = false
    ) async throws {
        var request = URLRequest(url: try #require(URL(string: url)))
        if isOwn {
            request.setValue("Bearer \(Self.secret)", forHTTPHeaderField: "Authorization")
            request.setValue("own=\(Self.secret)", forHTTPHeaderField: "Cookie")
        }
        let response = await withCheckedContinuation { continuation in
            let task = manager.dataTask(with: request) { continuation.resume(returning: $0) }
            task.resume()
            if cancels { task.cancel() }
            add(url, task)
        }
        add(url, response)
        add(url, response.headers)
        if let head = response.head { add(url, head) }
        if let error = response.error { add(url, error) }
        add(url, manager)
    }

    private func proxied(_ port: Int) -> HTTPSessionManager {
        manager { configuration in
            let proxy = Exchange.Route.Proxy(
                .http, host: "127.0.0.1", port: port, username: "user", password: Self.secret)
            configuration.route = Exchange.Route(proxy: proxy)
            add("configuration", configuration)
        }
    }

    /// Returns all texts with their places.
    func everything() async throws -> [(place: String, text: String)] {
        let center = NotificationCenter.default
        let names = [
            SessionTask.didResumeNotification, SessionTask.didCancelNotification,
            SessionTask.didCompleteNotification,
        ]
        let observers = names.map { name in
            center.addObserver(forName: name, object: nil, queue: nil) { [self] notification in
                guard let task = notification.object as? SessionTask,
                    task.originalRequest?.url?.query?.contains("7f3a") == true
                else { return }
                add("notification", notification)
                add("notification", notification.userInfo as Any)
            }
        }
        defer { observers.forEach(center.removeObserver) }
        let base = server.baseURL
        let query = "?key=\(Self.forms[1])"
        let manager = manager()
        for path in ["ok", "hop", "userinfo", "no-url", "told", "no-json", "hang", "basic"] {
            try await send("\(base)/\(path)\(query)", with: manager)
        }
        for path in ["basic?right", "basic?wrong", "digest?right", "digest?wrong"] {
            try await send("\(base)/\(path)", with: self.manager(), isOwn: false)
        }
        try await send("\(base)/hang\(query)", with: manager, cancels: true)
        try await send("http://user:\(Self.forms[1])@127.0.0.1/\(query)", with: manager)
        try await send("http://127.0.0.1:1/\(query)", with: manager)
        let port = try #require(URL(string: base)?.port)
        for url in ["http://a.test/ok", "http://a.test/407", "https://a.test/ok"] {
            try await send(url + query, with: proxied(port))
            try await send(url + query, with: proxied(1))
        }
        return texts.all
    }
}
