import Bluebonnet
import BluebonnetFixtureServer
import Foundation
import FoundationNetworking

/// A way in which a secret is sent.
enum EchoCase: String, CaseIterable, Sendable {
    case own, additional, key, bound, jar, basic, digest, query, proxy

    /// The field that contains the secret, or a value derived from it.
    private var field: String {
        switch self {
        case .own, .additional, .basic, .digest: "Authorization"
        case .key: "X-Api-Key"
        case .bound: "X-Tenant"
        case .jar: "Cookie"
        case .query: "target"
        case .proxy: "Proxy-Authorization"
        }
    }

    private var asks: String {
        switch self {
        case .basic: "&asks=Basic"
        case .digest: "&asks=Digest"
        default: ""
        }
    }

    func request(
        _ server: EchoServer, _ form: EchoForm, _ secret: String, before: Int, status: Int = 500
    ) -> URLRequest {
        let base = self == .proxy ? "http://a.test" : server.fixture.baseURL
        let query = "field=\(field)&before=\(before)&status=\(status)\(asks)&\(server.mark)"
        let value = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let key = self == .query ? "key=\(value)&" : ""
        let url = URL(string: "\(base)/echo/\(form.rawValue)?\(key)\(query)")
        var request = URLRequest(url: url ?? URL(fileURLWithPath: "/"))
        if self == .own {
            request.setValue("Bearer \(secret)", forHTTPHeaderField: "Authorization")
        }
        return request
    }

    func manager(_ server: EchoServer, _ secret: String) throws -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        switch self {
        case .additional: configuration.additionalHeaders["Authorization"] = "Bearer \(secret)"
        case .key: configuration.additionalHeaders["X-Api-Key"] = secret
        case .bound:
            configuration.additionalHeaders["X-Tenant"] = secret
            configuration.headersBoundToOrigin = ["x-tenant"]
        case .jar:
            var jar = CookieJar()
            if let url = URL(string: server.fixture.baseURL) {
                jar.store(["s=\(secret)"], from: url)
            }
            configuration.cookies = .shared(CookieStorage(jar))
        case .proxy:
            let port = URL(string: server.fixture.baseURL)?.port ?? 0
            configuration.route = Exchange.Route(
                proxy: .init(
                    .http, host: "127.0.0.1", port: port, username: "user", password: secret))
        case .own, .basic, .digest, .query: break
        }
        let manager = HTTPSessionManager(configuration: configuration)
        manager.didReceiveChallenge = { _, _ in
            .useCredential(URLCredential(user: "user", password: secret, persistence: .forSession))
        }
        return manager
    }
}
