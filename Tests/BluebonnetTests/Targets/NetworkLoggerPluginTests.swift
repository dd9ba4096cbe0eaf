import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetTargets

@Suite("Secrets in the log of a provider", .timeLimit(.minutes(5)))
struct NetworkLoggerPluginTests {
    private static let canary = "hunter2canary"

    /// The places of a request in which a secret can be.
    enum Place: CaseIterable {
        case field, namedField, sessionField, cookie, query, referer, basic, challenge
        case jsonBody, formBody, textBody, parameters
    }

    /// Returns what is logged about a call, with `told` in the response's body and in a field.
    private func logged(
        _ place: Place, _ response: StubResponse, options: NetworkLoggerPlugin.LogOptions
    ) async -> String {
        let (secret, items) = (Self.canary, Recorder<String>())
        let rig = StubRig { configuration in
            configuration.headersBoundToOrigin = ["x-tenant"]
            if place == .sessionField { configuration.additionalHeaders["X-Api-Key"] = secret }
        }
        if place == .challenge {
            rig.answer(.unauthorized("Basic realm=\"r\""), response)
        } else {
            rig.answer(response)
        }
        let target = TestTarget("a") {
            switch place {
            case .field: $0.headers = ["Authorization": "Bearer \(secret)"]
            case .namedField: $0.headers = ["X-Tenant": secret]
            case .cookie: $0.headers = ["Cookie": "a=1; b=\(secret)"]
            case .referer: $0.headers = ["Referer": "http://b.test/?token=\(secret)"]
            case .basic:
                let login = Data("user:\(secret)".utf8).base64EncodedString()
                $0.headers = ["Authorization": "Basic \(login)"]
            case .query:
                $0.task = .requestParameters(
                    parameters: ["token": secret], encoding: URLEncoding.queryString)
            case .jsonBody:
                $0.method = .post
                $0.headers = ["Content-Type": "application/json"]
                $0.task = .requestData(Data(#"{"user":"ada","password":"\#(secret)"}"#.utf8))
            case .formBody:
                $0.method = .post
                $0.headers = ["Content-Type": "application/x-www-form-urlencoded"]
                $0.task = .requestData(Data("user=ada&password=\(secret)".utf8))
            case .textBody:
                $0.method = .post
                $0.task = .requestData(Data("user=ada&password=\(secret)".utf8))
            case .parameters:
                $0.method = .post
                $0.task = .requestParameters(
                    parameters: ["user": "ada", "password": secret], encoding: JSONEncoding.default)
            case .sessionField, .challenge: break
            }
        }
        let log = NetworkLoggerPlugin(
            configuration: .init(
                formatter: .init(entry: { identifier, message, _ in "\(identifier): \(message)" }),
                output: { _, entries in entries.forEach(items.add) }, logOptions: options))
        let plugins: [any PluginType] =
            place == .challenge
            ? [log, CredentialsPlugin { _ in .test("user", secret) }] : [log]
        let provider = TargetProvider<TestTarget>(session: rig.manager, plugins: plugins)
        _ = try? await provider.request(target)
        return items.all.joined(separator: "\n")
    }

    @Test(
        "it has no secret of the request, also where the response repeats it",
        arguments: Place.allCases)
    func repeated(place: Place) async {
        let told = Self.canary
        for options in [NetworkLoggerPlugin.LogOptions.verbose, [.formatRequestAsCURL, .verbose]] {
            for status in [200, 500] {
                let response = StubResponse(
                    status, headers: ["X-Echo": "you sent \(told)", "X-Plain": "shown"],
                    body: Data("<p>you sent \(told)</p>".utf8))
                let text = await logged(place, response, options: options)
                #expect(!text.contains(told), "\(text)")
                #expect(text.contains("X-Echo: you sent <redacted>"), "\(text)")
                #expect(text.contains("<p>you sent <redacted></p>"), "\(text)")
                #expect(text.contains("X-Plain: shown"))
            }
        }
    }

    @Test("a body of the request is shown without its secrets")
    func requestBody() async {
        for (place, shown) in [
            (Place.jsonBody, #"Request Body: {"user":"ada","password":"<redacted>"}"#),
            (.formBody, "Request Body: user=ada&password=<redacted>"),
            (.textBody, "Request Body: user=ada&password=<redacted>"),
        ] {
            let text = await logged(place, .good, options: .requestBody)
            #expect(text.contains(shown), "\(text)")
        }
    }

    @Test(
        "values with secret names are redacted in the body of a response",
        arguments: [
            (
                "application/json", #"{"a":1,"access_token":"X"}"#,
                #"{"a":1,"access_token":"<redacted>"}"#
            ),
            (
                "application/json", "{\r\n\t\"key\": [\"X\"]\r\n}",
                "{\r\n\t\"key\": \"<redacted>\"\r\n}"
            ),
            (
                "application/x-www-form-urlencoded", "a=1&oauth_token=X",
                "a=1&oauth_token=<redacted>"
            ),
            ("text/plain", "see ?a=1&sig=X", "see ?a=1&sig=<redacted>"),
            (
                "application/json", "{password:'X'}",
                "26 bytes of the body are redacted: they are not valid JSON"
            ),
        ])
    func responseBody(type: String, body: String, shown: String) async {
        let data = Data(body.replacing("X", with: Self.canary).utf8)
        let response = StubResponse(200, headers: ["Content-Type": type], body: data)
        let text = await logged(.sessionField, response, options: .verbose)
        #expect(text.hasSuffix("Response Body: \(shown)"), "\(text)")
    }

    @Test("a long body is cut after its secrets are redacted")
    func longBody() async {
        let ends = [#"","password":"\#(Self.canary)"}"#, "\(Self.canary)\"}"]
        for (end, distance) in ends.flatMap({ end in [2, 10, 20, 40].map { (end, $0) } }) {
            let start = #"{"a":""# + String(repeating: "x", count: 64 * 1024 - 6 - distance)
            let body = start + end + String(repeating: " ", count: 9000)
            let response = StubResponse(
                200, headers: ["Content-Type": "application/json"], body: Data(body.utf8))
            let text = await logged(.sessionField, response, options: .verbose)
            for count in 8...Self.canary.count {
                #expect(!text.contains(Self.canary.prefix(count)))
            }
            #expect(text.hasSuffix("… (\(body.utf8.count) bytes)"), "\(text.suffix(200))")
        }
    }

    @Test("a formatter receives text without secrets, and other bodies as they are")
    func formatters() async {
        let (bodies, items) = (Recorder<Data>(), Recorder<String>())
        let rig = StubRig()
        let binary = Data([0xFF, 0xFE]) + Data("\"token\":\"\(Self.canary)\"".utf8)
        rig.answer(.json(["token": Self.canary]), StubResponse(200, body: binary))
        let plugin = NetworkLoggerPlugin(
            configuration: .init(
                formatter: .init(responseData: {
                    bodies.add($0)
                    return String(decoding: $0, as: UTF8.self)
                }), output: { _, entries in entries.forEach(items.add) }, logOptions: .verbose))
        let provider = TargetProvider<TestTarget>(session: rig.manager, plugins: [plugin])
        for _ in 0..<2 { _ = try? await provider.request(TestTarget()) }
        #expect(bodies.all == [Data(#"{"token":"<redacted>"}"#.utf8), binary])
        #expect(!items.all.joined().contains(Self.canary), "\(items.all)")
    }
}
