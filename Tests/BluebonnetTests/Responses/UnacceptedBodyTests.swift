import Foundation
import Testing

@testable import Bluebonnet

@Suite("Bodies of responses with a refused content type")
struct UnacceptedBodyTests {
    static let types: Set<String> = ["application/pdf"]
    let body = Data("<p>sorry".utf8)

    private func head(_ status: Int) -> ResponseHead {
        ResponseHead(
            statusCode: status, headers: ["Content-Type": "text/html"], url: URL(filePath: "/"))
    }

    @Test(
        "serializers of raw data or text return them", arguments: [200, 500])
    func raw(status: Int) {
        let data = Response(
            of: body, head: head(status),
            serializer: HTTPResponseSerializer(acceptableContentTypes: Self.types))
        #expect(data.parsedBody == body && data.value == nil)
        let text = Response(
            of: body, head: head(status),
            serializer: StringResponseSerializer(acceptableContentTypes: Self.types))
        #expect(text.parsedBody == "<p>sorry" && text.value == nil)
        let object = Response(
            of: body, head: head(status),
            serializer: ManagerResponseSerializer(
                base: HTTPResponseSerializer(acceptableContentTypes: Self.types)))
        #expect(object.parsedBody as? Data == body)
    }

    @Test("they do not change the error, with the status code first")
    func errors() {
        let serializer = HTTPResponseSerializer(acceptableContentTypes: Self.types)
        guard
            case .unacceptableContentType("text/html", _, _)? = Response(
                of: body, head: head(200), serializer: serializer
            ).error
        else {
            Issue.record("no error of the type")
            return
        }
        guard
            case .unacceptableStatus(500, let context)? = Response(
                of: body, head: head(500), serializer: serializer
            ).error, case .unacceptableContentType? = context.underlying as? BluebonnetError
        else {
            Issue.record("no error of the status")
            return
        }
    }

    @Test("other serializers do not parse them", arguments: [200, 500])
    func parsed(status: Int) {
        let json = Data("{}".utf8)
        #expect(
            Response(of: json, head: head(status), serializer: JSONResponseSerializer()).parsedBody
                == nil)
        let compound = CompoundResponseSerializer([JSONResponseSerializer()])
        #expect(Response(of: json, head: head(status), serializer: compound).parsedBody == nil)
    }
}
