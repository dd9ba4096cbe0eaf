import Bluebonnet
import Foundation
import Testing

@Suite("Validation of response heads")
struct ResponseSerializerValidationTests {
    @Test(
        "status codes 200 to 299 are accepted, and others are an error with the status code",
        arguments: [
            200, 201, 206, 299, 100, 199, 300, 304, 400, 404, 500, 599,
        ])
    func statuses(_ status: Int) throws {
        let error = verdict(.json, try head(status, type: "application/json"))
        guard !(200..<300).contains(status) else {
            #expect(error == nil)
            return
        }
        guard case .unacceptableStatus(status, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.underlying == nil)
        #expect(context.head?.statusCode == status)
    }

    @Test("without acceptable status codes every status code is accepted")
    func everyStatus() throws {
        var serializer = HTTPResponseSerializer()
        serializer.acceptableStatusCodes = nil
        #expect(verdict(serializer, try head(500)) == nil)
    }

    @Test("another content type is an error that names both")
    func contentType() throws {
        let error = verdict(.json, try head(type: "text/html"))
        guard case .unacceptableContentType("text/html", let acceptable, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(acceptable == ["application/json", "text/json", "text/javascript"])
    }

    @Test("if both are wrong, the status code is the error and the type its underlying error")
    func both() throws {
        let error = verdict(.json, try head(502, type: "text/html"))
        guard case .unacceptableStatus(502, let context) = error,
            case .unacceptableContentType("text/html", _, _) = context.underlying
                as? BluebonnetError
        else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a body without a content type is refused")
    func missingType() throws {
        guard case .unacceptableContentType(nil, _, _) = verdict(.json, try head()) else {
            Issue.record("accepted")
            return
        }
        #expect(verdict(.http, try head()) == nil)
        #expect(verdict(.string, try head()) == nil)
    }

    @Test("the type of a response without a body is not checked")
    func bodiless() throws {
        #expect(verdict(.json, try head(type: "text/html", length: 0)) == nil)
        #expect(verdict(.json, try head(length: 0)) == nil)
        #expect(verdict(.xmlDocument, try head(204, type: "text/html")) == nil)
        #expect(verdict(.propertyList, try head(205)) == nil)
        #expect(verdict(.json, try head(type: "text/html", length: 9, method: "HEAD")) == nil)
        guard case .unacceptableStatus(304, let context) = verdict(.json, try head(304)) else {
            Issue.record("304 was accepted")
            return
        }
        #expect(context.underlying == nil)
    }

    @Test(
        "parameters and case of the content type are ignored",
        arguments: [
            "application/json; charset=utf-8", "Application/JSON", " application/json ;q=1",
            "TEXT/json;charset=\"UTF-8\"", "text/javascript",
        ])
    func parameters(_ type: String) throws {
        #expect(verdict(.json, try head(type: type)) == nil)
    }

    @Test("the acceptable types of an `any ResponseSerializer` can be changed")
    func insertion() throws {
        var concrete = JSONResponseSerializer()
        concrete.acceptableContentTypes?.insert("text/html")
        #expect(verdict(concrete, try head(type: "text/html")) == nil)

        var serializer: any ResponseSerializer = JSONResponseSerializer()
        #expect(verdict(serializer, try head(type: "text/html")) != nil)
        serializer.acceptableContentTypes?.insert("text/html")
        serializer.acceptableStatusCodes?.insert(404)
        #expect(verdict(serializer, try head(404, type: "text/html")) == nil)
        #expect(verdict(serializer, try head(type: "application/json")) == nil)
    }

    @Test("each serializer accepts its own types by default")
    func defaults() {
        #expect(HTTPResponseSerializer().acceptableContentTypes == nil)
        #expect(StringResponseSerializer().acceptableContentTypes == nil)
        let json: Set = ["application/json", "text/json", "text/javascript"]
        #expect(JSONResponseSerializer().acceptableContentTypes == json)
        #expect(DecodableResponseSerializer(Int.self).acceptableContentTypes == json)
        #expect(PropertyListResponseSerializer().acceptableContentTypes == ["application/x-plist"])
        let xml: Set = ["application/xml", "text/xml"]
        #expect(XMLParserResponseSerializer().acceptableContentTypes == xml)
        #expect(XMLDocumentResponseSerializer().acceptableContentTypes == xml)
    }
}
