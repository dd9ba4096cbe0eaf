import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Basic authentication", .timeLimit(.minutes(5)))
struct BasicAuthorizationTests {
    @Test(
        "the examples of RFC 7617 and RFC 2617 are reproduced",
        arguments: [
            ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test", "123\u{A3}", "Basic dGVzdDoxMjPCow=="),
            ("", "", "Basic Og=="), ("a", "b:c", "Basic YTpiOmM="),
        ]
    )
    func examples(user: String, password: String, expected: String) throws {
        for usesUTF8 in [true, false] {
            let value = try BasicAuthorization.fieldValue(
                for: .test(user, password), usesUTF8: usesUTF8
            )
            #expect(value == expected)
        }
    }

    @Test("for a server that announces UTF-8, characters are composed")
    func normalization() throws {
        let composed = try BasicAuthorization.fieldValue(
            for: .test("ä", "ö"), usesUTF8: true)
        let decomposed = try BasicAuthorization.fieldValue(
            for: .test("a\u{308}", "o\u{308}"), usesUTF8: true)
        #expect(composed.utf8.elementsEqual("Basic w6Q6w7Y=".utf8))
        #expect(decomposed == composed)
    }

    @Test(
        "what Basic cannot encode is refused, and the error does not contain the password",
        arguments: [("a:b", "pass"), ("a\r\nX: y", "pass"), ("a\u{0}", "pass"), ("a", "pass\n")]
    )
    func refusals(user: String, password: String) throws {
        let error = #expect(throws: AuthenticationError.Reason.self) {
            try BasicAuthorization.fieldValue(for: .test(user, password), usesUTF8: false)
        }
        guard case .invalidCredential(let text) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!text.contains("pass\n"))
        #expect(!text.contains("pass "))
    }
}
