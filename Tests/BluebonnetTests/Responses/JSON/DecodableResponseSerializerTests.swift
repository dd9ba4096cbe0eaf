import Bluebonnet
import Foundation
import Testing

@Suite("DecodableResponseSerializer")
struct DecodableResponseSerializerTests {
    struct User: Decodable, Sendable, Equatable {
        var name: String
        var emails: [String] = []
    }

    struct Envelope: Decodable, Sendable, Equatable {
        var user: User
    }

    private func reason<T: Decodable & Sendable>(_ type: T.Type, _ text: String) -> String? {
        refusal(DecodableResponseSerializer(type), text)
    }

    @Test("JSON is decoded to the type")
    func decoding() throws {
        let body = Data(#"{"user":{"name":"Ada","emails":["a@b"]}}"#.utf8)
        let value = try DecodableResponseSerializer<Envelope>().serialize(body, head: nil)
        #expect(value == Envelope(user: User(name: "Ada", emails: ["a@b"])))
        #expect(try DecodableResponseSerializer(Int.self).serialize(Data("7".utf8), head: nil) == 7)
    }

    @Test(
        "an error has the key path and the value found there",
        arguments: [
            (
                #"{"user":{"name":"a","emails":["x","y",3]}}"#,
                "user.emails[2]: expected String but found"
            ),
            (#"{"user":{"name":null,"emails":[]}}"#, "user.name: expected String but found null"),
            (#"{"user":{"emails":[]}}"#, "user.name: the key is missing"),
            (#"{"user":[]}"#, "user: expected Dictionary<String, Any> but found"),
            (#"[]"#, "expected Dictionary<String, Any> but found"),
            (#"{"user" 1}"#, "at byte 8"),
        ])
    func keyPaths(_ text: String, _ expected: String) throws {
        let reason = try #require(self.reason(Envelope.self, text))
        #expect(reason.contains(expected), "\(reason)")
        #expect(!reason.contains("instead"))
    }

    @Test("a number in place of a string is called a number")
    func foundNumber() {
        #expect(reason([String].self, "[1]") == "[0]: expected String but found number")
    }

    @Test("the decoder can be configured")
    func configuration() throws {
        struct Event: Decodable, Sendable {
            var startsAt: Date
        }
        var serializer = DecodableResponseSerializer<Event>()
        serializer.decoder = JSONDecoder()
        serializer.decoder?.keyDecodingStrategy = .convertFromSnakeCase
        serializer.decoder?.dateDecodingStrategy = .secondsSince1970
        let event = try serializer.serialize(Data(#"{"starts_at":60}"#.utf8), head: nil)
        #expect(event.startsAt == Date(timeIntervalSince1970: 60))
    }

    @Test("an empty body is an error that says so, as are 204, 205, 304 and HEAD")
    func empty() throws {
        #expect(reason(User.self, "")?.contains("empty") == true)
        #expect(reason(User.self, " ")?.contains("empty") == true)
        for head in try bodilessHeads() {
            let serializer = DecodableResponseSerializer<User>()
            #expect(refusal(serializer, Data("{}".utf8), head: head)?.contains("empty") == true)
        }
    }

    @Test("an empty body is nil for an optional type and valid for EmptyBody")
    func emptyOptional() throws {
        let optional = DecodableResponseSerializer<User?>()
        #expect(try optional.serialize(Data(), head: nil) == nil)
        #expect(try optional.serialize(Data(#"{"name":"a","emails":[]}"#.utf8), head: nil) != nil)
        let empty = DecodableResponseSerializer<EmptyBody>()
        #expect(try empty.serialize(Data(), head: head(204)) == EmptyBody())
        #expect(try empty.serialize(Data("[1]".utf8), head: nil) == EmptyBody())
        let optionalEmpty = DecodableResponseSerializer<EmptyBody?>()
        #expect(try optionalEmpty.serialize(Data(), head: nil) == nil)
        #expect(try optionalEmpty.serialize(Data("OK".utf8), head: nil) == EmptyBody())
    }

    @Test("EmptyBody ignores the body, so its content type, syntax and size do not matter")
    func unreadBody() throws {
        let plain = ResponseHead(statusCode: 200, headers: ["Content-Type": "text/plain"], url: url)
        let serializer = DecodableResponseSerializer<EmptyBody>(maximumDocumentSize: 1)
        let response = Response(of: Data("OK".utf8), head: plain, serializer: serializer)
        #expect(response.value == EmptyBody())
        #expect(serializer.maximumBodySize == nil && serializer.isCheap(byteCount: 1 << 20))
        let strict = DecodableResponseSerializer<EmptyBody>(acceptableContentTypes: ["a/b"])
        #expect(Response(of: Data("OK".utf8), head: plain, serializer: strict).error != nil)
        let refused = ResponseHead(statusCode: 500, headers: [:], url: url)
        #expect(Response(of: Data("OK".utf8), head: refused, serializer: serializer).error != nil)
    }

    @Test("a verb for EmptyBody accepts any content type, whatever the manager accepts")
    func unreadVerb() async throws {
        let stub = ManualTransport { $0.reply(200, ["Content-Type": "text/plain"], "OK") }
        let manager = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test/"), transport: stub)
        manager.responseSerializer = JSONResponseSerializer(acceptableContentTypes: ["a/b"])
        let empty = try await manager.delete("x", as: EmptyBody.self)
        #expect(empty == EmptyBody())
        await #expect(throws: BluebonnetError.self) { try await manager.get("x", as: [Int].self) }
    }

    private let url = URL(filePath: "/")

    @Test("a body that is cut at any byte is an error")
    func truncated() {
        let body = Data(#"{"user":{"name":"Ada","emails":["a@b"]}}"#.utf8)
        for length in 0..<body.count {
            let serializer = DecodableResponseSerializer<Envelope>()
            #expect(refusal(serializer, body.prefix(length)) != nil)
        }
    }

    @Test("nesting is limited by the decoder, and one more level is an error with its position")
    func depth() throws {
        struct Nested: Decodable {
            init(from decoder: any Decoder) throws {
                _ = try decoder.unkeyedContainer()
            }
        }
        func body(_ depth: Int) -> Data {
            Data((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        let serializer = DecodableResponseSerializer<Nested>()
        _ = try serializer.serialize(body(512), head: nil)
        let error = #expect(throws: JSONResponseSerializer.ParseError.self) {
            _ = try serializer.serialize(body(513), head: nil)
        }
        #expect(try #require(error).byteOffset == 512)
        #expect(try #require(error).message.contains("deeper than 512"))
    }

    @Test("a decoder with other JSON rules keeps them")
    func laxDecoders() throws {
        struct Number: Decodable { var a: Int }
        var serializer = DecodableResponseSerializer<Number>()
        serializer.decoder = JSONDecoder()
        serializer.decoder?.allowsJSON5 = true
        #expect(try serializer.serialize(Data("{a:1}".utf8), head: nil).a == 1)
        serializer.decoder = JSONDecoder()
        serializer.decoder?.assumesTopLevelDictionary = true
        #expect(try serializer.serialize(Data(#""a":1"#.utf8), head: nil).a == 1)
    }

    @Test("a body above the maximum size is refused unread")
    func size() throws {
        let serializer = DecodableResponseSerializer<[Int]>(maximumDocumentSize: 3)
        #expect(try serializer.serialize(Data("[1]".utf8), head: nil) == [1])
        #expect(refusal(serializer, Data("[10]".utf8))?.contains("4 bytes") == true)
    }
}
