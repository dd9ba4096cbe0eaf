import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet
@testable import BluebonnetChain

@Suite("Alamofire's error properties")
struct ErrorKindTests {
    /// The names of the properties that are true.
    private func kinds(_ error: AFError) -> [String] {
        let answers = [
            ("cancelled", error.isExplicitlyCancelledError), ("URL", error.isInvalidURLError),
            ("encoding", error.isParameterEncodingError),
            ("encoder", error.isParameterEncoderError),
            ("multipart", error.isMultipartEncodingError),
            ("adaptation", error.isRequestAdaptationError),
            ("validation", error.isResponseValidationError),
            ("serialization", error.isResponseSerializationError),
            ("retry", error.isRequestRetryError), ("uploadable", error.isCreateUploadableError),
            ("request", error.isCreateURLRequestError),
            ("move", error.isDownloadedFileMoveError), ("task", error.isSessionTaskError),
            ("invalidated", error.isSessionInvalidatedError),
            ("deinitialized", error.isSessionDeinitializedError),
            ("trust", error.isServerTrustEvaluationError),
        ]
        return answers.filter(\.1).map(\.0)
    }

    @Test("each error has one kind")
    func all() {
        let context = BluebonnetError.Context()
        func request(_ underlying: any Error) -> AFError {
            .invalidRequest("", .init(underlying: underlying))
        }
        let trust = Exchange.Failure(certificateFault: .init(check: .hostName, host: "h"))
        let cases: [(AFError, String)] = [
            (.cancelled(context), "cancelled"), (request(URLConversionError(text: "x")), "URL"),
            (request(ParameterEncodingError.missingURL), "encoding"),
            (request(ParameterEncoderError.missingRequiredComponent(.url)), "encoder"),
            (
                request(MultipartFailure(partName: nil, partNumber: 1, reason: .length(-1))),
                "multipart"
            ),
            (.invalidRequest("", context), "request"), (.adaptation("", context), "adaptation"),
            (.unacceptableStatus(404, context), "validation"),
            (.unacceptableContentType(nil, acceptable: [], context), "validation"),
            (.validation("", context), "validation"),
            (.unreadableBody("", context), "serialization"), (.retry("", context), "retry"),
            (.requestBody("", context), "uploadable"),
            (.file(FileFailure(.read, path: "/x", message: ""), context), "uploadable"),
            (.file(FileFailure(.move, path: "/x", message: ""), context), "move"),
            (.transport(Exchange.Failure(.timedOut, message: ""), context), "task"),
            (.redirect("", context), "task"), (.authentication("", context), "task"),
            (.sessionInvalidated(context), "invalidated"), (.transport(trust, context), "trust"),
        ]
        for (error, kind) in cases { #expect(kinds(error) == [kind]) }
    }

    @Test("an error has the details of its kind and no others")
    func details() throws {
        let request = try URLRequest(url: "http://h/a", method: .get)
        let status = AFError.unacceptableStatus(404, .init(request: request))
        #expect(status.responseCode == 404 && status.url == request.url)
        #expect(status.responseContentType == nil && status.acceptableContentTypes == nil)
        #expect(status.underlyingError == nil && status.urlConvertible == nil)
        let type = AFError.unacceptableContentType("a/b", acceptable: ["d/d", "c/c"], .init())
        #expect(type.responseContentType == "a/b" && type.acceptableContentTypes == ["c/c", "d/d"])
        #expect(type.responseCode == nil)
        let url = AFError.invalidRequest("", .init(underlying: URLConversionError(text: "x y")))
        #expect(url.urlConvertible as? String == "x y")
        let transport = AFError.transport(Exchange.Failure(.timedOut, message: ""), .init())
        #expect((transport.underlyingError as? URLError)?.code == .timedOut)
        let moved = AFError.file(
            FileFailure(.move, path: "/x/y", message: ""), .init(resumeData: Data("r".utf8)))
        #expect(moved.destinationURL?.path == "/x/y" && moved.sourceURL == nil)
        #expect(moved.downloadResumeData == Data("r".utf8))
        let any: any Error = status
        #expect(any.asAFError?.responseCode == 404)
        #expect(URLError(.badURL).asAFError == nil)
    }
}
