import BluebonnetChain
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("The default header fields of a configuration")
struct AdditionalHeadersTests {
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The names of the fields that are sent.
        let names: Set<String>
        let apply: @Sendable (inout SessionConfiguration) -> Void

        init(
            _ description: String, _ names: Set<String>,
            _ apply: @escaping @Sendable (inout SessionConfiguration) -> Void
        ) {
            testDescription = description
            self.names = names
            self.apply = apply
        }
    }

    static let changes = [
        Change("none", ["User-Agent", "Accept-Encoding"]) { _ in },
        Change("an assigned dictionary", ["User-Agent", "Accept-Encoding", "X-Tenant"]) {
            $0.additionalHeaders = ["X-Tenant": "7"]
        },
        Change("nothing assigned", ["User-Agent", "Accept-Encoding"]) {
            $0.additionalHeaders = [:]
        },
        Change("a field set", ["User-Agent", "Accept-Encoding", "X-Tenant"]) {
            $0.headers["X-Tenant"] = "7"
        },
        Change("a default assigned in another spelling", ["user-agent", "Accept-Encoding"]) {
            $0.headers = ["user-agent": "me"]
        },
        Change("a default removed", ["Accept-Encoding"]) {
            $0.additionalHeaders["user-agent"] = nil
        },
        Change("a default removed after an assignment", ["Accept-Encoding", "X-Tenant"]) {
            $0.additionalHeaders = ["X-Tenant": "7"]
            $0.headers.remove(name: "User-Agent")
        },
        Change("all removed", []) {
            for field in $0.additionalHeaders { $0.additionalHeaders.remove(field.name) }
        },
        Change("a copy without a default", ["User-Agent", "X-Tenant"]) {
            var headers = HTTPHeaders.default.sorted()
            headers.remove(name: "Accept-Encoding")
            headers.update(name: "X-Tenant", value: "7")
            $0.headers = headers
        },
        Change("fields of another configuration", ["Accept-Encoding"]) {
            var other = SessionConfiguration.af.default
            other.headers["User-Agent"] = nil
            $0.headers = other.headers
        },
        Change("an assignment after a removal", ["Accept-Encoding", "X-Tenant"]) {
            $0.headers["User-Agent"] = nil
            $0.headers = ["X-Tenant": "7"]
        },
        Change("an assignment after a change", ["User-Agent", "Accept-Encoding", "X-Tenant"]) {
            $0.headers["User-Agent"] = "me"
            $0.headers = ["X-Tenant": "7"]
        },
        Change("the defaults assigned after a removal", ["User-Agent", "Accept-Encoding"]) {
            $0.headers["User-Agent"] = nil
            $0.headers = .default
        },
        Change("no decoding", ["User-Agent", "X-Tenant"]) {
            $0.additionalHeaders = ["X-Tenant": "7"]
            $0.decodesContent = false
        },
    ]

    @Test("assigned fields are added, and defaults stay until removed by name", arguments: changes)
    func sent(change: Change) async throws {
        let rig = StubRig(change.apply)
        rig.answer(.good)
        _ = try await rig.manager.get("a")
        let fields = try #require(rig.stub.requests.first).headers
        #expect(Set(fields.map(\.name)) == change.names)
        #expect(fields.count == change.names.count)
        let configuration = rig.manager.configuration
        let names = Set(
            configuration.sentHeaders(decodesContent: configuration.decodesContent).map(\.name))
        #expect(names == change.names)
    }

    @Test("a default that was set by name keeps its value after an assignment")
    func setByName() {
        var configuration = SessionConfiguration()
        configuration.additionalHeaders["User-Agent"] = "me"
        configuration.additionalHeaders = ["X-Tenant": "7"]
        #expect(configuration.additionalHeaders["User-Agent"] == "me")
        #expect(configuration.additionalHeaders.fields.count == 3)
    }

    @Test("the fields of a session can be read under Alamofire's names")
    func read() {
        let session = Session(configuration: .af.default)
        #expect(session.configuration.headers == .default)
        #expect(
            session.sessionConfiguration.headers["User-Agent"] == HTTPHeader.defaultUserAgent.value)
        #expect(session.session.configuration.headers.value(for: "accept-encoding") != nil)
    }
}
