import Bluebonnet
import Foundation
import Testing

@Suite("CompoundResponseSerializer")
struct CompoundResponseSerializerTests {
    private let serializer = CompoundResponseSerializer([
        JSONResponseSerializer(), PropertyListResponseSerializer(), XMLDocumentResponseSerializer(),
    ])
    private static var list: Data { Data("<plist><string>a</string></plist>".utf8) }

    @Test("the member that accepts the content type reads the body")
    func members() throws {
        let object = Data("{\"a\":1}".utf8)
        let json = try serializer.serialize(object, head: head(type: "application/json"))
        #expect(json as? [String: Int] == ["a": 1])
        let list = try serializer.serialize(Self.list, head: head(type: "application/x-plist"))
        #expect(list as? String == "a")
        let tree = try serializer.serialize(Self.list, head: head(type: "text/xml"))
        #expect((tree as? XMLTree)?.root.name == "plist")
    }

    @Test("the first member that can read the body wins")
    func order() throws {
        let serializer = CompoundResponseSerializer([
            JSONResponseSerializer(), StringResponseSerializer(), HTTPResponseSerializer(),
        ])
        let head = try head(type: "application/json")
        #expect(try serializer.serialize(Data("[1]".utf8), head: head) as? [Int] == [1])
        #expect(try serializer.serialize(Data("oops".utf8), head: head) as? String == "oops")
        #expect(try serializer.serialize(Data("[1]".utf8), head: nil) as? [Int] == [1])
    }

    @Test("an error of the accepting member is the error")
    func parseError() throws {
        let reason = refusal(serializer, Data("[1".utf8), head: try head(type: "text/json"))
        #expect(reason?.contains("invalid JSON") == true)
        let xml = refusal(serializer, Data("<a>".utf8), head: try head(type: "text/xml"))
        #expect(xml?.contains("line 1") == true)
    }

    @Test("if several members cannot read the body, the last one's error is reported")
    func lastError() {
        let reason = refusal(serializer, "<a>")
        #expect(reason?.contains("line 1") == true, "\(reason ?? "")")
    }

    @Test("a head is accepted if any member accepts it")
    func validation() throws {
        #expect(verdict(serializer, try head(type: "application/x-plist")) == nil)
        guard
            case .unacceptableContentType("text/html", let acceptable, _) =
                verdict(serializer, try head(type: "text/html"))
        else {
            Issue.record("accepted")
            return
        }
        #expect(acceptable.isSuperset(of: ["application/json", "application/x-plist", "text/xml"]))
    }

    @Test("the status code is the error if a member accepts the content type")
    func statusError() throws {
        guard
            case .unacceptableStatus(404, let context) =
                verdict(serializer, try head(404, type: "application/json"))
        else {
            Issue.record("accepted")
            return
        }
        #expect(context.underlying == nil)
        guard
            case .unacceptableStatus(404, let both) =
                verdict(serializer, try head(404, type: "text/html"))
        else {
            Issue.record("accepted")
            return
        }
        guard
            case .unacceptableContentType("text/html", let types, _) = both.underlying
                as? BluebonnetError
        else {
            Issue.record("the type is not below the status")
            return
        }
        // The types of all members.
        let members =
            [JSONResponseSerializer.defaultContentTypes] + [
                PropertyListResponseSerializer.defaultContentTypes
            ]
        #expect(members.allSatisfy { types.isSuperset(of: $0) })
    }

    @Test("an error body is parsed by the member for its type")
    func errorBody() throws {
        let head = try head(404, type: "application/json")
        let value = try serializer.serialize(Data("{\"e\":1}".utf8), head: head)
        #expect(value as? [String: Int] == ["e": 1])
    }

    @Test("a body that matches no member's type is a validation error")
    func noMemberOfType() throws {
        let page = try head(404, type: "text/html")
        #expect(throws: BluebonnetError.self) {
            try serializer.serialize(Data("[1]".utf8), head: page)
        }
    }

    @Test("a member for error status codes is preferred to one that refuses them")
    func memberOfStatus() throws {
        struct Problem: Decodable, Sendable {
            var e: Int
        }
        let serializer = CompoundResponseSerializer([
            JSONResponseSerializer(),
            DecodableResponseSerializer<Problem>(acceptableStatusCodes: [404]),
        ])
        let head = try head(404, type: "application/json")
        #expect(verdict(serializer, head) == nil)
        #expect(try serializer.serialize(Data("{\"e\":1}".utf8), head: head) is Problem)
    }

    @Test("an empty body is nil, as are 204, 205, 304 and HEAD")
    func empty() throws {
        #expect(try serializer.serialize(Data(), head: head(type: "text/html")) == nil)
        for head in try bodilessHeads() {
            #expect(try serializer.serialize(Data("x".utf8), head: head) == nil)
        }
    }

    @Test("a member's nil is nil and not a wrapped nil")
    func nestedNil() throws {
        #expect(try serializer.serialize(Data(" ".utf8), head: nil) == nil)
        let optional = CompoundResponseSerializer([DecodableResponseSerializer<String?>()])
        #expect(try optional.serialize(Data("null".utf8), head: nil) == nil)
        #expect(try optional.serialize(Data("\"a\"".utf8), head: nil) as? String == "a")
    }

    @Test("the compound's own acceptable sets apply in addition")
    func ownSets() throws {
        var compound = CompoundResponseSerializer([HTTPResponseSerializer()])
        compound.acceptableContentTypes = ["text/plain"]
        #expect(verdict(compound, try head(type: "text/html")) != nil)
        #expect(verdict(compound, try head(type: "text/plain")) == nil)
        compound.acceptableStatusCodes = [201]
        #expect(verdict(compound, try head(type: "text/plain")) != nil)
    }

    @Test("a compound without members accepts nothing, with an explanation")
    func noMembers() throws {
        let compound = CompoundResponseSerializer([])
        #expect(verdict(compound, try head())?.description.contains("no members") == true)
        #expect(refusal(compound, "a") != nil)
    }

    @Test("the static members create each serializer")
    func spellings() throws {
        func value<S: ResponseSerializer>(_ serializer: S, _ text: String) throws -> S.Value {
            try serializer.serialize(Data(text.utf8), head: nil)
        }
        #expect(try value(.http, "a") == Data("a".utf8))
        #expect(try value(.string, "a") == "a")
        #expect(try value(.json, "[1]") as? [Int] == [1])
        #expect(try value(.propertyList, "<plist><true/></plist>") as? Bool == true)
        #expect(try value(.xmlParser, "<a/>").data == Data("<a/>".utf8))
        #expect(try value(.xmlDocument, "<a/>").root.name == "a")
        #expect(try value(.decodable([Int].self), "[1]") == [1])
        let members: [any ResponseSerializer] = [
            JSONResponseSerializer(), StringResponseSerializer(),
        ]
        #expect(try value(.compound(members), "a") as? String == "a")
    }

    @Test("damaged and random bodies never crash")
    func randomBytes() {
        let samples = [Self.list, Data("{\"a\":[1]}".utf8)]
        for body in damagedBodies(of: samples, count: 2000, seed: 5) {
            _ = refusal(serializer, body)
        }
    }
}
