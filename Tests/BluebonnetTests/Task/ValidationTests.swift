import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Validation in the response", .timeLimit(.minutes(5)))
struct ValidationTests {
    static let json = ["Content-Type": "application/json; charset=utf-8", "X-Own": "1"]

    static func respond(
        _ status: Int, _ headers: [String: String], _ body: String
    ) async -> Response<any Sendable> {
        let rig = SessionRig(answer: { $0.reply(status, headers, body) })
        rig.task().resume()
        return await rig.response
    }

    @Test("a bad status code keeps status code, headers, data and the parsed body")
    func status() async throws {
        let response = await Self.respond(404, Self.json, #"{"message":"no such thing"}"#)
        guard case .unacceptableStatus(404, let context) = try #require(response.error) else {
            Issue.record("\(response)")
            return
        }
        let body = response.object as? [String: Any]
        #expect(body?["message"] as? String == "no such thing")
        #expect(response.parsedBody != nil && response.value == nil)
        #expect(response.head?.statusCode == 404 && response.headers["x-own"] == "1")
        #expect(response.data == context.data && context.data?.isEmpty == false)
        #expect(context.head?.statusCode == 404 && context.request?.url?.path == "/a")
        #expect(context.underlying == nil)
        #expect(response.error?.description.contains("404") == true)
        #expect(response.error?.description.contains("accepted: 200–299;") == true)
        #expect(context.acceptableStatusCodes == .successStatusCodes)
    }

    @Test("a bad status code is the error even if the body cannot be parsed")
    func statusAndGarbage() async throws {
        let response = await Self.respond(502, Self.json, "<html>")
        guard case .unacceptableStatus(502, let context) = try #require(response.error) else {
            Issue.record("\(response)")
            return
        }
        guard case .unreadableBody = context.underlying as? BluebonnetError else {
            Issue.record("\(String(describing: context.underlying))")
            return
        }
        #expect(response.object == nil && response.data == Data("<html>".utf8))
    }

    @Test("with a bad status code and type, the type is the underlying error")
    func statusAndType() async throws {
        let response = await Self.respond(500, ["Content-Type": "text/html"], "<html>")
        guard case .unacceptableStatus(500, let context) = try #require(response.error) else {
            Issue.record("\(response)")
            return
        }
        guard
            case .unacceptableContentType("text/html", _, _) = context.underlying
                as? BluebonnetError
        else {
            Issue.record("\(String(describing: context.underlying))")
            return
        }
        let below = try #require(context.underlying as? BluebonnetError).context
        #expect(below.head?.statusCode == 500 && below.data == Data("<html>".utf8))
        #expect(below.request?.url == context.request?.url && below.request != nil)
        let userInfo = try #require(response.error).urlError.userInfo
        #expect(userInfo[NSUnderlyingErrorKey] is BluebonnetError)
    }

    @Test("a wrong or missing type fails with the expected types, and keeps the body")
    func contentType() async throws {
        for headers in [["Content-Type": "text/html"], [:], ["Content-Type": "; x"]] {
            let response = await Self.respond(200, headers, "{}")
            let error = try #require(response.error)
            guard case .unacceptableContentType(_, let acceptable, let context) = error else {
                Issue.record("\(response)")
                return
            }
            #expect(acceptable.contains("application/json"))
            #expect(error.description.contains("application/json"))
            #expect(response.data == Data("{}".utf8) && context.data == response.data)
            #expect(response.object == nil)
        }
    }

    @Test("types are compared without case and parameters")
    func contentTypeForms() async {
        for type in ["Application/JSON", "application/json;charset=x", " application/json ; a=b"] {
            #expect(await Self.respond(200, ["Content-Type": type], "{}").error == nil, "\(type)")
        }
    }

    @Test("an empty body of any type or none succeeds without an object")
    func emptyBodies() async {
        for headers in [["Content-Type": "text/html"], [:], Self.json] {
            let response = await Self.respond(200, headers, "")
            #expect(response.error == nil, "\(response)")
            #expect(response.object == nil && response.data == Data())
        }
        let response = await Self.respond(500, ["Content-Type": "text/html"], "")
        guard case .unacceptableStatus(500, let context)? = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(context.underlying == nil)
    }

    @Test("a body that cannot be parsed keeps status code, headers and data")
    func unreadable() async throws {
        for body in ["{", #"{"a":1"#, "nonsense", "[1,]", "\u{0}"] {
            let response = await Self.respond(200, Self.json, body)
            guard case .unreadableBody(_, let context) = try #require(response.error) else {
                Issue.record("\(response)")
                return
            }
            #expect(context.underlying is JSONResponseSerializer.ParseError)
            #expect(response.head?.statusCode == 200 && response.data == Data(body.utf8))
            #expect(context.data == response.data && response.headers["X-Own"] == "1")
        }
    }

    @Test("a serializer changed in place applies the change")
    func inPlace() async {
        let rig = SessionRig(answer: { $0.reply(201, ["Content-Type": "text/html"], "{}") })
        rig.manager.responseSerializer.acceptableContentTypes?.insert("text/html")
        rig.manager.responseSerializer.acceptableStatusCodes = [201]
        rig.task().resume()
        #expect(await rig.response.error == nil)
    }

    @Test(
        "an empty optional is no object, for any serializer",
        arguments: ["", "null"])
    func optionalOfNothing(body: String) async {
        for isInCompound in [false, true] {
            let rig = SessionRig(answer: { $0.reply(200, Self.json, body) })
            let serializer = DecodableResponseSerializer<[Int]?>()
            rig.manager.responseSerializer =
                isInCompound ? CompoundResponseSerializer([serializer]) : serializer
            rig.task().resume()
            let response = await rig.response
            #expect(response.error == nil && response.object == nil)
        }
    }

    @Test("an empty response succeeds without an object for each serializer")
    func emptyForEverySerializer() async {
        let serializers: [any ResponseSerializer] = [
            JSONResponseSerializer(), PropertyListResponseSerializer(),
            XMLDocumentResponseSerializer(), XMLParserResponseSerializer(),
            DecodableResponseSerializer<[Int]>(), HTTPResponseSerializer(),
            StringResponseSerializer(), CompoundResponseSerializer([JSONResponseSerializer()]),
        ]
        for (number, serializer) in serializers.enumerated() {
            for status in [200, 204, 205] {
                let rig = SessionRig(answer: { $0.reply(status, ["Content-Type": "a/b"], "") })
                rig.manager.responseSerializer = serializer
                rig.task().resume()
                let response = await rig.response
                #expect(response.error == nil, "\(serializer)")
                if !(5...6).contains(number) { #expect(response.object == nil) }
            }
            let rig = SessionRig(answer: { $0.reply(200, ["Content-Length": "9"], "") })
            rig.manager.responseSerializer = serializer
            await #expect(throws: Never.self) { try await rig.manager.head("a") }
        }
    }

    @Test("the serializer of a call is used instead of the manager's")
    func serializerOfRequest() async throws {
        let rig = SessionRig(answer: { $0.reply(200, ["Content-Type": "text/plain"], "[1]") })
        rig.manager.responseSerializer = StringResponseSerializer()
        rig.task().resume()
        #expect(await rig.response.object as? String == "[1]")
        let texts = Recorder<Response<Data>>()
        rig.manager.get("a", serializer: HTTPResponseSerializer()) { texts.add($0) }
        #expect(await texts.wait(for: 1)[0].value == Data("[1]".utf8))
        let json = Recorder<Response<(any Sendable)?>>()
        rig.manager.get("a", serializer: JSONResponseSerializer(acceptableContentTypes: ["text/*"]))
        {
            json.add($0)
        }
        #expect(await json.wait(for: 1)[0].object as? [Int] == [1])
    }
}
