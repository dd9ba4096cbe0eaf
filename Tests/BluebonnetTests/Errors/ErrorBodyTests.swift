import BluebonnetTesting
import Foundation
import Testing

import Bluebonnet

/// Problem details (RFC 9457).
///
/// A member of the wrong type is ignored, as section 3.1 requires.
private struct Problem: Decodable, Sendable {
    var type = "about:blank"
    var title: String?
    var status: Int?
    var detail: String?
    /// An extension.
    var balance: Int?

    private enum CodingKeys: CodingKey { case type, title, status, detail, balance }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = (try? members.decode(String.self, forKey: .type)) ?? type
        title = try? members.decode(String.self, forKey: .title)
        status = try? members.decode(Int.self, forKey: .status)
        detail = try? members.decode(String.self, forKey: .detail)
        balance = try? members.decode(Int.self, forKey: .balance)
    }
}

@Suite("Bodies of errors")
struct ErrorBodyTests {
    private let rig = StubRig()

    private func error(_ response: StubResponse) async -> BluebonnetError? {
        rig.answer(response)
        do throws(BluebonnetError) {
            _ = try await rig.manager.get("a", as: EmptyBody.self)
            return nil
        } catch {
            return error
        }
    }

    @Test("problem details are read from the body of a refused response")
    func problem() async throws {
        let body = Data(
            #"{"type":"/poor","title":"Not enough","status":"403","detail":"30 < 50","balance":30,"x":{}}"#
                .utf8)
        let error = await error(.data(body, type: "application/problem+json", status: 403))
        let problem = try #require(error?.decoded(as: Problem.self))
        #expect(problem.type == "/poor" && problem.title == "Not enough")
        // The status code of the response counts. This member is not a number.
        #expect(problem.status == nil && error?.context.head?.statusCode == 403)
        #expect(problem.detail == "30 < 50" && problem.balance == 30)
    }

    @Test("a given decoder is used for every content type")
    func decoder() async throws {
        struct Refusal: Decodable, Sendable { var errorCode: Int }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let error = await error(.text(#"{"error_code":7}"#, status: 500))
        #expect(error?.decoded(as: Refusal.self, by: decoder)?.errorCode == 7)
        #expect(error?.decoded(as: Refusal.self) == nil)
    }

    @Test("without a body of that type the result is nil")
    func none() async throws {
        for response: StubResponse in [
            .status(500), .text("<html>", status: 502), .json(["a"], status: 500),
            .failure(.cannotConnectToHost),
        ] {
            let rig = StubRig()
            rig.answer(response)
            do throws(BluebonnetError) {
                _ = try await rig.manager.get("a", as: EmptyBody.self)
            } catch {
                #expect(error.decoded(as: Problem.self) == nil)
            }
        }
    }
}
