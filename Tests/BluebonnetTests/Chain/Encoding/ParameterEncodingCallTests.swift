import BluebonnetTargets
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Calls of parameter encodings", .timeLimit(.minutes(1)))
struct ParameterEncodingCallTests {
    /// Creates a body, with or without parameters.
    private struct Envelope: ParameterEncoding {
        func encode(
            _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
        ) throws -> URLRequest {
            var request = try urlRequest.asURLRequest()
            request.httpBody = Data((parameters == nil ? "none" : "some").utf8)
            return request
        }
    }

    /// Requires parameters.
    private struct Strict: ParameterEncoding, ParameterEncoder {
        func encode(
            _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
        ) throws -> URLRequest {
            guard parameters != nil else { throw TestError() }
            return try urlRequest.asURLRequest()
        }

        func encode<P: Encodable & Sendable>(
            _ parameters: P?, into request: URLRequest
        ) throws -> URLRequest {
            guard parameters != nil else { throw TestError() }
            return request
        }
    }

    private let rig = StubRig()

    init() { rig.stub.on("/**", .init(503), .good, .init(503), .good) }

    enum Call: CaseIterable {
        case requestWithout, requestWithNil, requestWithNoDictionary, requestWithEmpty
        case downloadWithout, downloadWithNil, downloadWithNoDictionary, downloadWithEmpty
    }

    private func request(_ call: Call, _ encoding: any ParameterEncoding) -> Request {
        let manager = rig.manager
        let (none, noDictionary) = (Parameters?.none, [String: any Sendable]?.none)
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount < 1 ? .retry : .doNotRetry)
        }
        switch call {
        case .requestWithout:
            return manager.request("a", method: .post, encoding: encoding, interceptor: retrier)
        case .requestWithNil:
            return manager.request(
                "a", method: .post, parameters: none, encoding: encoding, interceptor: retrier)
        case .requestWithNoDictionary:
            return manager.request(
                "a", method: .post, parameters: noDictionary, encoding: encoding,
                interceptor: retrier)
        case .requestWithEmpty:
            return manager.request(
                "a", method: .post, parameters: [:], encoding: encoding, interceptor: retrier)
        case .downloadWithout:
            return manager.download("a", method: .post, encoding: encoding, interceptor: retrier)
        case .downloadWithNil:
            return manager.download(
                "a", method: .post, parameters: none, encoding: encoding, interceptor: retrier)
        case .downloadWithNoDictionary:
            return manager.download(
                "a", method: .post, parameters: noDictionary, encoding: encoding,
                interceptor: retrier)
        case .downloadWithEmpty:
            return manager.download(
                "a", method: .post, parameters: [:], encoding: encoding, interceptor: retrier)
        }
    }

    private func error(of request: Request) async -> BluebonnetError? {
        switch request {
        case let request as DownloadRequest:
            await request.validate().serializingDownloadedFileURL().response.error
        case let request as DataRequest:
            await request.validate().serializingData().response.error
        default: nil
        }
    }

    @Test(
        "an encoding is called for each attempt, even without parameters",
        arguments: Call.allCases)
    func called(call: Call) async {
        #expect(await error(of: request(call, Envelope())) == nil)
        let isEmpty = call == .requestWithEmpty || call == .downloadWithEmpty
        let body = isEmpty ? "some" : "none"
        #expect(rig.stub.requests.map(\.text) == [body, body])
    }

    @Test(
        "an encoding that requires parameters fails a request without them",
        arguments: Call.allCases)
    func refused(call: Call) async {
        let error = await error(of: request(call, Strict()))
        guard call != .requestWithEmpty, call != .downloadWithEmpty else {
            #expect(error == nil)
            return
        }
        guard case .invalidRequest(_, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.underlying is TestError && rig.stub.requests.isEmpty)
    }

    @Test("the encoding of a target is called with its parameters, even if there are none")
    func target() throws {
        let tasks: [TargetTask] = [
            .requestParameters(parameters: [:], encoding: Envelope()),
            .requestCompositeParameters(
                bodyParameters: [:], bodyEncoding: Envelope(), urlParameters: [:]),
            .downloadParameters(parameters: [:], encoding: Envelope()) { url, _ in (url, []) },
        ]
        for task in tasks {
            let endpoint = Endpoint(
                url: "http://h/", sampleResponseClosure: { .networkResponse(200, Data()) },
                method: .post, task: task, httpHeaderFields: nil)
            #expect(try endpoint.urlRequest().httpBody == Data("some".utf8))
        }
    }

    @Test("an encoder for Encodable types is called only with parameters")
    func encoder() async {
        let none = String?.none
        let (data, download) = (
            rig.manager.request("a", parameters: none, encoder: Strict()),
            rig.manager.download("a", parameters: none, encoder: Strict())
        )
        #expect(await data.serializingData().response.error == nil)
        #expect(await download.serializingDownloadedFileURL().response.error == nil)
        let stream = rig.manager.streamRequest("a", parameters: none, encoder: Strict())
        for await value in stream.streamTask().streamingData() where value.completion != nil {
            #expect(value.completion?.error == nil)
        }
        #expect(rig.stub.requests.count == 3)
    }
}
