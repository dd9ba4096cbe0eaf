import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Handlers of the chain", .timeLimit(.minutes(1)))
struct ChainHandlerTests {
    private struct User: Decodable, Sendable, Equatable { let name: String }
    private struct Nothing: Decodable, EmptyResponse, Equatable {
        var isEmpty = false
        static func emptyValue() -> Nothing { Nothing(isEmpty: true) }
    }

    private let rig = StubRig()
    private let former = Locked<StubRoute?>(nil)

    private func request(_ response: StubResponse, method: HTTPMethod = .get) -> DataRequest {
        let route = rig.stub.on("/**", response)
        if let former = former.withLock({ former in
            defer { former = route }
            return former
        }) {
            rig.stub.remove(former)
        }
        return rig.manager.request("a", method: method, shouldAutomaticallyResume: true)
    }

    /// Returns the response that a handler gets.
    private func response<Value: Sendable>(
        _ add: (@escaping @Sendable (Response<Value>) -> Void) -> Void
    ) async -> Response<Value> {
        let responses = Recorder<Response<Value>>()
        add { responses.add($0) }
        return await responses.wait(for: 1)[0]
    }

    private func body(_ text: String, _ status: Int = 200, type: String? = nil) -> StubResponse {
        StubResponse(
            status, headers: type.map { ["Content-Type": $0] } ?? [:], body: Data(text.utf8))
    }

    @Test("without a validation any status code succeeds, and nothing is missing")
    func unvalidated() async {
        let response = await response {
            request(body("gone", 404)).responseString(completionHandler: $0)
        }
        #expect(response.value == "gone" && response.error == nil)
        #expect(response.response?.statusCode == 404 && response.data == Data("gone".utf8))
        #expect(response.request?.url?.path == "/a" && response.metrics != nil)
        #expect(response.serializationDuration > 0 && response.serializationDuration < 5)
        #expect(response.fileURL == nil && response.resumeData == nil)
    }

    @Test("map, tryMap and their error forms keep the rest of a response")
    func mapping() async {
        let good = await response { request(body("4")).responseString(completionHandler: $0) }
        #expect(good.map(\.count).value == 1)
        #expect(good.map(\.count).metrics != nil && good.map(\.count).data == good.data)
        #expect(good.tryMap { Int($0) }.value == 4)
        let thrown = good.tryMap { _ in throw URLError(.cannotParseResponse) } as Response<Int>
        #expect(thrown.error?.underlyingError is URLError && thrown.error?.stage == .serialization)
        #expect(thrown.error?.context.data == good.data)
        #expect(good.mapError { _ in .cancelled(.init()) }.value == "4")
        let bad = await response {
            request(body("x", 404)).validate().responseString(completionHandler: $0)
        }
        #expect(bad.map(\.count).error?.responseCode == 404)
        #expect(bad.mapError { _ in .cancelled(.init()) }.error?.isExplicitlyCancelledError == true)
        #expect(bad.tryMapError { _ in throw URLError(.badURL) }.error?.underlyingError is URLError)
        #expect(bad.tryMapError { $0 }.error?.responseCode == 404)
        #expect(bad.parsedBody == "x" && bad.map(\.count).parsedBody == nil)
    }

    @Test("a handler without a serializer gets the data, or nil if there is none")
    func optionalData() async {
        let some = await response { request(body("b")).response(completionHandler: $0) }
        #expect(some.value == .some(Data("b".utf8)))
        let none = await response { request(body("")).response(completionHandler: $0) }
        #expect(none.value == .some(nil) && none.error == nil)
    }

    @Test("any decoder can decode a body, by default the manager's")
    func decoders() async throws {
        let json = await response {
            request(body(#"{"name":"Ann"}"#)).responseDecodable(
                of: User.self, completionHandler: $0)
        }
        #expect(json.value == User(name: "Ann"))
        rig.manager.json.decoder.keyDecodingStrategy = .custom { path in
            AnyKey(path.last?.stringValue.lowercased() ?? "")
        }
        let manager = await response {
            request(body(#"{"NAME":"Ann"}"#)).responseDecodable(
                of: User.self, completionHandler: $0)
        }
        #expect(manager.value == User(name: "Ann"))
        let own = await response {
            request(body(#"{"NAME":"Ann"}"#)).responseDecodable(
                of: User.self, decoder: JSONDecoder(), completionHandler: $0)
        }
        #expect(own.error?.isResponseSerializationError == true)
        let list = try PropertyListEncoder().encode(["name": "Ann"])
        let plist = await response {
            request(StubResponse(200, body: list)).responseDecodable(
                of: User.self, decoder: PropertyListDecoder(), completionHandler: $0)
        }
        #expect(plist.value == User(name: "Ann"))
        let wrong = await response {
            request(body("[]")).responseDecodable(
                of: User.self, decoder: PropertyListDecoder(), completionHandler: $0)
        }
        #expect(wrong.error?.stage == .serialization && wrong.data == Data("[]".utf8))
    }

    @Test("JSON is returned as plain values, with a root of any kind by default")
    @available(*, deprecated)
    func json() async {
        let object = await response {
            request(body(#"{"a":[1]}"#)).responseJSON(completionHandler: $0)
        }
        #expect((object.value as? [String: any Sendable])?["a"] as? [Int] == [1])
        let fragment = await response { request(body("7")).responseJSON(completionHandler: $0) }
        #expect(fragment.value as? Int == 7)
        let strict = await response {
            request(body("7")).responseJSON(options: [], completionHandler: $0)
        }
        #expect(strict.error?.stage == .serialization)
        let empty = await response { request(body("")).responseJSON(completionHandler: $0) }
        #expect(empty.error?.stage == .serialization)
        let allowed = await response {
            request(body("")).responseJSON(emptyResponseCodes: [200], completionHandler: $0)
        }
        #expect(allowed.value is NSNull)
        let none = await response { request(body("", 204)).responseJSON(completionHandler: $0) }
        #expect(none.value is NSNull)
    }

    @Test("an empty body is empty data and an empty string, for any status code")
    func emptyData() async {
        for status in [200, 204, 304] {
            let data = await response {
                request(body("", status)).responseData(completionHandler: $0)
            }
            #expect(data.value == Data())
            let text = await response {
                request(body("", status)).responseString(completionHandler: $0)
            }
            #expect(text.value?.isEmpty == true)
        }
    }

    @Test(
        "an empty body is decoded if HTTP or the handler allows none",
        arguments: [200, 201, 204, 205, 304], [HTTPMethod.get, .head, .post])
    func emptyValue(status: Int, method: HTTPMethod) async {
        let isNone = status == 204 || status == 205 || status == 304 || method == .head
        let decoded = await response {
            request(body("", status), method: method).responseDecodable(
                of: Nothing.self, completionHandler: $0)
        }
        #expect((decoded.value == Nothing.emptyValue()) == isNone)
        let allowed = await response {
            request(body("", status), method: method).responseDecodable(
                of: Nothing.self, emptyResponseCodes: [201], emptyRequestMethods: [.post],
                completionHandler: $0)
        }
        #expect((allowed.value != nil) == (isNone || status == 201 || method == .post))
        let optional = await response {
            request(body("", status), method: method).responseDecodable(
                of: User?.self, completionHandler: $0)
        }
        #expect(optional.value == .some(nil))
        let empty = await response {
            request(body("", status), method: method).responseDecodable(
                of: Empty.self, completionHandler: $0)
        }
        #expect(empty.value == Empty.value)
        let other = await response {
            request(body("", status), method: method).responseDecodable(
                of: User.self, completionHandler: $0)
        }
        #expect(other.error?.isResponseSerializationError == true)
        if isNone { #expect("\(other.result)".contains("EmptyResponse")) }
    }

    @Test("Empty accepts any body, and is an empty object in JSON")
    func empty() async throws {
        let response = await response {
            request(body("anything")).responseDecodable(of: Empty.self, completionHandler: $0)
        }
        #expect(response.value == Empty.emptyValue())
        #expect(try JSONEncoder().encode(Empty.value) == Data("{}".utf8))
    }

    @Test("the given encoding comes first, then the charset, UTF-8 and ISO-8859-1")
    func encodings() async {
        let cases: [([UInt8], String?, String.Encoding?, String?)] = [
            ([0xC3, 0xA4], nil, nil, "ä"), ([0xE4], nil, nil, "ä"),
            ([0xC3, 0xA4], "text/plain; charset=iso-8859-1", nil, "Ã¤"),
            ([0xC3, 0xA4], "text/plain; charset=iso-8859-1", .utf8, "ä"),
            ([0xE4], nil, .utf8, nil), ([0x61, 0x00], nil, .utf16LittleEndian, "a"),
        ]
        for (bytes, type, encoding, text) in cases {
            let stub = StubResponse(
                200, headers: type.map { ["Content-Type": $0] } ?? [:], body: Data(bytes))
            let response = await response {
                request(stub).responseString(encoding: encoding, completionHandler: $0)
            }
            #expect(response.value == text)
            if text == nil { #expect(response.error?.failedStringEncoding == .utf8) }
        }
    }

    @Test("a preprocessor changes a body that is not empty, and its error fails the request")
    func preprocessors() async throws {
        struct Failing: DataPreprocessor {
            func preprocess(_ data: Data) throws -> Data { throw URLError(.cannotDecodeRawData) }
        }
        let guarded = body(")]}',\n{\"name\":\"Ann\"}")
        let decoded = await response {
            request(guarded).responseDecodable(
                of: User.self, dataPreprocessor: .googleXSSI, completionHandler: $0)
        }
        #expect(
            decoded.value == User(name: "Ann")
                && decoded.data == Data(")]}',\n{\"name\":\"Ann\"}".utf8))
        let plain = await response {
            request(body("x")).responseString(dataPreprocessor: .googleXSSI, completionHandler: $0)
        }
        #expect(plain.value == "x")
        let text = await response {
            request(body(")]}',\n")).responseString(
                dataPreprocessor: .googleXSSI, completionHandler: $0)
        }
        #expect(text.value?.isEmpty == true)
        let failed = await response {
            request(body("x")).responseData(dataPreprocessor: Failing(), completionHandler: $0)
        }
        #expect(failed.error?.stage == .serialization && failed.error?.underlyingError is URLError)
        let empty = await response {
            request(body("")).responseData(dataPreprocessor: Failing(), completionHandler: $0)
        }
        #expect(empty.value == Data())
        #expect(try PassthroughPreprocessor().preprocess(Data("a".utf8)) == Data("a".utf8))
    }

    @Test("Alamofire's serializers have its labels and serialize")
    func serializers() async throws {
        let data = await response {
            request(body("b")).response(
                responseSerializer: DataResponseSerializer(emptyResponseCodes: [200]),
                completionHandler: $0)
        }
        #expect(data.value == Data("b".utf8))
        let text = await response {
            request(body("b")).response(
                responseSerializer: StringResponseSerializer(encoding: .ascii),
                completionHandler: $0)
        }
        #expect(text.value == "b")
        let user = await response {
            request(body(#"{"name":"Ann"}"#)).response(
                responseSerializer: .decodable(of: User.self), completionHandler: $0)
        }
        #expect(user.value == User(name: "Ann"))
        let json = await response {
            request(body(")]}',\n7")).response(
                responseSerializer: JSONResponseSerializer(dataPreprocessor: .googleXSSI),
                completionHandler: $0)
        }
        #expect(json.value as? Int == 7)
        let bytes = await response {
            request(body("b")).response(responseSerializer: .data, completionHandler: $0)
        }
        #expect(bytes.value == Data("b".utf8))
        let file = await response {
            request(body("b")).response(responseSerializer: .url, completionHandler: $0)
        }
        #expect(file.error?.stage == .serialization)
    }

    @Test("a serializer's error is wrapped in unreadableBody, which has the body")
    func serializerError() async {
        struct Failing: ResponseSerializer {
            var acceptableStatusCodes: Set<Int>?
            var acceptableContentTypes: Set<String>?
            func serialize(_ data: Data, head: ResponseHead?) throws -> Int {
                throw URLError(.cannotParseResponse)
            }
        }
        let response = await response {
            request(body("b")).response(responseSerializer: Failing(), completionHandler: $0)
        }
        guard case .unreadableBody(_, let context)? = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(context.underlying is URLError && context.data == Data("b".utf8))
        #expect(context.head?.statusCode == 200)
    }

    @Test("the acceptable status codes and types of a handler's serializer are ignored")
    func notJudged() async {
        let strict = HTTPResponseSerializer(
            acceptableStatusCodes: [299], acceptableContentTypes: ["x/y"])
        let response = await response {
            request(body("b", 404)).response(responseSerializer: strict, completionHandler: $0)
        }
        #expect(response.value == Data("b".utf8))
    }

    @Test("the decoder's error is kept, with its coding path")
    func decodingError() async throws {
        let response: Response<User> = await response {
            request(body(#"{"name": 4}"#)).responseDecodable(completionHandler: $0)
        }
        let error = try #require(response.error)
        guard case .typeMismatch(_, let context)? = error.underlyingError as? DecodingError else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["name"])
        #expect(error.context.underlying is ResponseSerializationError)
    }

    /// The server's description of a failure.
    private struct Problem: Decodable, Error { let code: Int }

    /// A ported serializer, which throws the server's error, or else the error it was given.
    private struct ProblemSerializer: DataResponseSerializerProtocol {
        func serialize(
            request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
        ) throws -> String {
            if let error {
                if let data, let problem = try? JSONDecoder().decode(Problem.self, from: data) {
                    throw problem
                }
                throw error
            }
            return String(decoding: data ?? Data(), as: UTF8.self)
        }
    }

    @Test("a ported serializer gets the request's error and can replace it")
    func failureIsHeard() async {
        let refused = await response {
            request(body(#"{"code": 7}"#, 422)).validate()
                .response(responseSerializer: ProblemSerializer(), completionHandler: $0)
        }
        #expect(refused.error?.responseCode == 422)
        #expect((refused.error?.underlyingError as? Problem)?.code == 7)

        let checked = await response {
            request(body(#"{"code": 8}"#)).validate { _, _, _ in .failure(URLError(.badURL)) }
                .response(responseSerializer: ProblemSerializer(), completionHandler: $0)
        }
        #expect((checked.error?.underlyingError as? Problem)?.code == 8)

        let broken = await response {
            request(.failure(Exchange.Failure(.cannotConnectToHost, message: "refused")))
                .response(responseSerializer: ProblemSerializer(), completionHandler: $0)
        }
        #expect(broken.error?.urlError.code == .cannotConnectToHost)
        #expect(broken.error?.context.underlying == nil)

        let good = await response {
            request(body("b")).validate()
                .response(responseSerializer: ProblemSerializer(), completionHandler: $0)
        }
        #expect(good.value == "b")
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
