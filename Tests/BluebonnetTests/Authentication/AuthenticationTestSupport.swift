import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

extension URLCredential {
    static func test(
        _ user: String = "user",
        _ password: String = "secret",
        _ persistence: URLCredential.Persistence = .forSession
    ) -> URLCredential {
        URLCredential(user: user, password: password, persistence: persistence)
    }
}

extension AuthenticatedRequest {
    static func test(
        _ url: String = "http://a.test/dir/page",
        method: String = "GET",
        body: Body = .none,
        proxy: AuthenticationOrigin? = nil,
        hasOwnAuthorization: Bool = false
    ) throws -> AuthenticatedRequest {
        let url = try #require(URL(string: url))
        return try #require(
            AuthenticatedRequest(
                url: url, method: method, body: body, proxy: proxy,
                hasOwnAuthorization: hasOwnAuthorization
            )
        )
    }
}

extension AuthenticationOrigin {
    static let testProxy = AuthenticationOrigin(scheme: "http", host: "proxy.test", port: 3128)
}

extension ResponseHead {
    static func test(
        _ statusCode: Int,
        _ fields: [(String, String)] = [],
        _ url: String = "http://a.test/dir/page"
    ) throws -> ResponseHead {
        ResponseHead(
            statusCode: statusCode,
            headers: HTTPHeaders(fields.map { HTTPHeaders.Field(name: $0.0, value: $0.1) }),
            url: try #require(URL(string: url))
        )
    }

    static func unauthorized(_ challenges: String...) throws -> ResponseHead {
        try test(401, challenges.map { ("WWW-Authenticate", $0) })
    }
}

extension TaskAuthentication.Step {
    /// Returns the challenge of an `ask` step.
    func asked() throws -> AuthenticationChallenge {
        guard case .ask(let challenge) = self else { throw UnexpectedStep(step: self) }
        return challenge
    }

    /// Returns the header fields of a `retry` step, by name.
    func retried() throws -> [String: String] {
        guard case .retry(let fields) = self else { throw UnexpectedStep(step: self) }
        return Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
    }

    func failed() throws -> AuthenticationError.Reason {
        guard case .fail(let error as AuthenticationError) = self else {
            throw UnexpectedStep(step: self)
        }
        return error.reason
    }

    var isDelivery: Bool {
        if case .deliver = self { true } else { false }
    }
}

struct UnexpectedStep: Error {
    let step: TaskAuthentication.Step
}

extension String {
    /// The parameters of a Digest field, read by an independent parser.
    var digestParameters: [String: String] {
        var parameters: [String: String] = [:]
        for match in matches(of: #/([a-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^",\s]+))/#) {
            let (_, name, quoted, token) = match.output
            let unquoted = quoted.map { String($0.replacing(#/\\(.)/#) { $0.output.1 }) }
            parameters[String(name)] = unquoted ?? token.map { String($0) } ?? ""
        }
        return parameters
    }
}
