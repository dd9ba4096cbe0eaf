import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Representations of an error")
struct ErrorFormTests {
    private static func context() throws -> BluebonnetError.Context {
        let url = try #require(URL(string: "http://user:secret@a.test/b?key=secret"))
        return BluebonnetError.Context(
            request: URLRequest(url: url), underlying: URLError(.cannotOpenFile))
    }

    private static func errors() throws -> [(BluebonnetError, URLError.Code, BluebonnetError.Stage)]
    {
        let context = try context()
        let failure = FileFailure(.move, path: "/a", message: "no")
        return [
            (.invalidRequest("a", context), .badURL, .request),
            (.requestBody("a", context), .requestBodyStreamExhausted, .request),
            (
                .securityPolicy("a", context), .appTransportSecurityRequiresSecureConnection,
                .security
            ),
            (.sessionInvalidated(context), .cancelled, .session),
            (.transport(.lost, context), .networkConnectionLost, .transport),
            (.redirect("a", context), .redirectToNonExistentLocation, .redirect),
            (.authentication("a", context), .userAuthenticationRequired, .authentication),
            (.unacceptableStatus(404, context), .badServerResponse, .validation),
            (
                .unacceptableContentType("a", acceptable: [], context), .cannotDecodeContentData,
                .validation
            ),
            (.validation("a", context), .badServerResponse, .validation),
            (.unreadableBody("a", context), .cannotDecodeContentData, .serialization),
            (.file(failure, context), .cannotMoveFile, .file),
            (.cancelled(context), .cancelled, .cancellation),
        ]
    }

    @Test("as NSError it has URLSession's domain and code, and its own description")
    func nsError() throws {
        for (error, code, stage) in try Self.errors() {
            let bridged = error as NSError
            #expect(bridged.domain == NSURLErrorDomain && bridged.code == code.rawValue)
            #expect(bridged.localizedDescription == error.description)
            #expect((error as any Error).localizedDescription == error.description)
            #expect(bridged.localizedFailureReason.map { error.description.hasPrefix($0) } == true)
            #expect(bridged.userInfo[NSUnderlyingErrorKey] != nil)
            #expect(!"\(bridged.userInfo)".contains("secret"))
            #expect(error.stage == stage)
            #expect(error.urlError.code == code)
            #expect(error.urlError.localizedDescription == error.description)
        }
    }

    @Test("an error without a task is safe to retry by its stage or its request's method")
    func made() throws {
        var context = try Self.context()
        for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "QUERY"] {
            context.request?.httpMethod = method
            #expect(BluebonnetError.transport(.lost, context).isSafeToRetry)
        }
        for method in ["POST", "PATCH"] {
            context.request?.httpMethod = method
            #expect(!BluebonnetError.transport(.lost, context).isSafeToRetry)
            #expect(BluebonnetError.invalidRequest("a", context).isSafeToRetry)
        }
        #expect(!BluebonnetError.transport(.lost, .init()).isSafeToRetry)
    }

    /// Returns whether the error of a task with these answers is safe to retry.
    private func isSafe(
        _ method: String, url: String = "http://a.test/", _ answers: [ManualTransport.Answer]
    ) async throws -> Bool {
        let number = Locked(0)
        let rig = SessionRig(answer: { transfer in
            let index = number.withLock { number in
                defer { number += 1 }
                return number
            }
            answers[min(index, answers.count - 1)](transfer)
        })
        try rig.start(url) { $0.httpMethod = method }
        let error = await rig.response.error
        return try #require(error).isSafeToRetry
    }

    private static let unreachable = Exchange.Failure(
        .cannotConnectToHost, message: "nobody listens")

    @Test("a task's error is safe to retry if everything that was sent is idempotent")
    func ofTask() async throws {
        let lost: ManualTransport.Answer = { $0.fail(.lost) }
        let unreachable: ManualTransport.Answer = {
            $0.report(.init(end: Exchange.End(failure: Self.unreachable, wasSent: false)))
        }
        let unsaid: ManualTransport.Answer = { $0.fail(Self.unreachable) }
        let noJSON: ManualTransport.Answer = {
            $0.reply(200, ["Content-Type": "application/json"], "<")
        }
        let refused: ManualTransport.Answer = { $0.reply(500) }
        let redirect: ManualTransport.Answer = { $0.redirect(303, to: "/b") }
        #expect(try await isSafe("GET", [lost]))
        #expect(try await !isSafe("POST", [lost]))
        #expect(try await isSafe("POST", [unreachable]))
        #expect(try await !isSafe("POST", [unsaid]))
        #expect(try await isSafe("POST", url: "ftp:", [lost]))
        #expect(try await !isSafe("POST", [noJSON]))
        #expect(try await isSafe("GET", [noJSON]))
        #expect(try await !isSafe("POST", [redirect, noJSON]))
        #expect(try await !isSafe("POST", [refused]))
        #expect(try await isSafe("PUT", [refused]))
        // The second request is a GET, whose failure is independent of the POST before it.
        #expect(try await !isSafe("POST", [redirect, unreachable]))
        #expect(try await isSafe("GET", [redirect, lost]))
    }
}
