import Foundation
import HTTPTypes
@_spi(Generated) import OpenAPIRuntime

/// A client in the form that Swift OpenAPI Generator writes.
struct PetClient: Sendable {
    enum GetPet {
        static let id = "getPet"
        struct Input: Sendable {
            var id: Int
            var fields: [String]?
        }
        enum Output: Sendable {
            case ok(Pet)
            case undocumented(statusCode: Int, UndocumentedPayload)
        }
    }

    struct Pet: Codable, Sendable, Equatable {
        var name: String
    }

    private let client: UniversalClient
    private var converter: Converter { client.converter }

    init(serverURL: URL, transport: any ClientTransport) {
        client = UniversalClient(serverURL: serverURL, transport: transport)
    }

    func getPet(_ input: GetPet.Input) async throws -> GetPet.Output {
        try await client.send(
            input: input, forOperation: GetPet.id,
            serializer: { input in
                let path = try converter.renderedPath(template: "/pets/{}", parameters: [input.id])
                var request = HTTPRequest(soar_path: path, method: .get)
                try converter.setQueryItemAsURI(
                    in: &request, style: .form, explode: true, name: "fields", value: input.fields)
                converter.setAcceptHeader(
                    in: &request.headerFields,
                    contentTypes: [AcceptHeaderContentType<JSONContent>(contentType: .json)])
                return (request, nil)
            },
            deserializer: { response, body in
                guard response.status.code == 200 else {
                    return .undocumented(
                        statusCode: response.status.code,
                        .init(headerFields: response.headerFields, body: body))
                }
                return try await converter.getResponseBodyAsJSON(
                    Pet.self, from: body, transforming: { .ok($0) })
            })
    }

    func addPet(_ pet: Pet) async throws -> Int {
        try await client.send(
            input: pet, forOperation: "addPet",
            serializer: { pet in
                let path = try converter.renderedPath(template: "/pets", parameters: [])
                var request = HTTPRequest(soar_path: path, method: .post)
                let body = try converter.setRequiredRequestBodyAsJSON(
                    pet, headerFields: &request.headerFields,
                    contentType: "application/json; charset=utf-8")
                return (request, body)
            },
            deserializer: { response, _ in response.status.code })
    }

    func upload(_ body: HTTPBody, to path: String) async throws -> HTTPBody {
        try await client.send(
            input: body, forOperation: "upload",
            serializer: { body in
                let path = try converter.renderedPath(template: path, parameters: [])
                var request = HTTPRequest(soar_path: path, method: .post)
                let body = try converter.setRequiredRequestBodyAsBinary(
                    body, headerFields: &request.headerFields,
                    contentType: "application/octet-stream")
                return (request, body)
            },
            deserializer: { _, body in
                try converter.getResponseBodyAsBinary(
                    HTTPBody.self, from: body, transforming: { $0 })
            })
    }

    func download(_ path: String) async throws -> HTTPBody {
        try await client.send(
            input: path, forOperation: "download",
            serializer: { path in (HTTPRequest(soar_path: path, method: .get), nil) },
            deserializer: { _, body in
                try converter.getResponseBodyAsBinary(
                    HTTPBody.self, from: body, transforming: { $0 })
            })
    }
}

enum JSONContent: String, AcceptableProtocol {
    case json = "application/json"
}
