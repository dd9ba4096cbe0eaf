import Bluebonnet
import BluebonnetTargets
import Foundation
import FoundationNetworking
import Testing

/// A way to set the header fields of a request, with the call that sends it.
struct HeaderWay: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let send: @Sendable (HeaderScene) async throws -> Void

    init(_ description: String, _ send: @escaping @Sendable (HeaderScene) async throws -> Void) {
        testDescription = description
        self.send = send
    }

    /// Fields with names that are not spelled as Foundation capitalizes them.
    static let fields: HTTPHeaders = [
        "X-NC-Account": "1", "x-lower": "2", "DNT": "3", "X_ID": "4", "content-LANGUAGE": "de",
    ]

    static let all = verbs + serializers + chains + requests + interceptors + targets + resent

    private static let verbs = [
        HeaderWay("GET") { _ = try await $0.manager.get("a", headers: fields) },
        HeaderWay("POST of a form") {
            _ = try await $0.manager.post("a", parameters: ["a": 1], headers: fields)
        },
        HeaderWay("upload") {
            _ = try await $0.manager.upload(.data(Data("x".utf8)), to: "a", headers: fields)
        },
        HeaderWay("upload of a form") {
            var form = MultipartFormData()
            form.appendPart(formData: Data("x".utf8), name: "x")
            _ = try await $0.manager.upload(.form(form), to: "a", headers: fields)
        },
        HeaderWay("download") {
            let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            _ = try await $0.manager.download("a", headers: fields, to: file)
            try FileManager.default.removeItem(at: file)
        },
        HeaderWay("response of a stream") {
            for try await _ in try await $0.manager.stream("a", headers: fields) {}
        },
    ]

    private static let serializers = [
        HeaderWay("serializer of forms") {
            $0.manager.requestSerializer = HTTPRequestSerializer(headers: fields)
            _ = try await $0.manager.post("a", parameters: ["a": 1])
        },
        HeaderWay("serializer of JSON") {
            $0.manager.requestSerializer = JSONRequestSerializer(headers: fields)
            _ = try await $0.manager.post("a", parameters: ["a": 1])
        },
        HeaderWay("serializer of property lists") {
            $0.manager.requestSerializer = PropertyListRequestSerializer(headers: fields)
            _ = try await $0.manager.post("a", parameters: ["a": 1])
        },
        HeaderWay("serializer's fields for an upload") {
            $0.manager.requestSerializer.headers = fields
            _ = try await $0.manager.upload(.data(Data("x".utf8)), to: "a")
        },
    ]

    private static let chains = [
        HeaderWay("chain") {
            _ = try await $0.manager.request($0.url(), headers: fields).serializingData().value
        },
        HeaderWay("upload of a chain") {
            let upload = $0.manager.upload(Data("x".utf8), to: $0.url(), headers: fields)
            _ = try await upload.serializingData().value
        },
        HeaderWay("download of a chain") {
            _ = try await $0.manager.download($0.url(), headers: fields).serializingData().value
        },
        HeaderWay("modifier of a chain") {
            let request = $0.manager.request($0.url()) { $0.headers = fields }
            _ = try await request.serializingData().value
        },
        HeaderWay("router") {
            let request = try URLRequest(url: $0.url(), method: .get, headers: fields)
            _ = try await $0.manager.request(request).serializingData().value
        },
    ]

    private static let requests = [
        HeaderWay("property of a request") {
            _ = try await $0.manager.data(for: $0.request { $0.headers = fields })
        },
        HeaderWay("field of a request") {
            let request = try $0.request { request in
                for field in fields { request.headers[field.name] = field.value }
            }
            _ = try await $0.manager.data(for: request)
        },
        HeaderWay("field of a request that has the name in another spelling") {
            let request = try $0.request { request in
                for field in fields {
                    request.setValue("former", forHTTPHeaderField: field.name)
                    request.headers.update(field)
                }
            }
            _ = try await $0.manager.data(for: request)
        },
        HeaderWay("dictionary of a request") {
            let request = try $0.request { $0.allHTTPHeaderFields = fields.dictionary }
            _ = try await $0.manager.data(for: request)
        },
    ]

    private static let interceptors = [
        HeaderWay("adapter") {
            $0.manager.interceptors = [AddingAdapter()]
            _ = try await $0.manager.get("a")
        },
        HeaderWay("compressed body") {
            $0.manager.interceptors = [.compressor(.gzip)]
            _ = try await $0.manager.post("a", parameters: ["a": 1], headers: fields)
        },
        HeaderWay("key for idempotency") {
            $0.manager.interceptors = [.idempotencyKey]
            _ = try await $0.manager.post("a", parameters: ["a": 1], headers: fields)
        },
        HeaderWay("redirect hook") {
            $0.manager.taskWillPerformHTTPRedirection = { _, _, request in
                var request = request
                request.headers = fields
                return request
            }
            _ = try await $0.manager.get("moved")
        },
    ]

    private static let targets = [
        HeaderWay("target") {
            let target = HeaderTarget(baseURL: try $0.baseURL, headers: fields.dictionary)
            _ = try await TargetProvider<HeaderTarget>(session: $0.manager).request(target)
        },
        HeaderWay("endpoint") {
            let provider = TargetProvider<HeaderTarget>(
                endpointClosure: {
                    TargetProvider.defaultEndpointMapping(for: $0)
                        .adding(newHTTPHeaderFields: fields.dictionary)
                }, session: $0.manager)
            _ = try await provider.request(HeaderTarget(baseURL: try $0.baseURL, headers: [:]))
        },
        HeaderWay("plugin") {
            let provider = TargetProvider<HeaderTarget>(
                session: $0.manager,
                plugins: [AddingPlugin(), AccessTokenPlugin { _ in "token" }])
            _ = try await provider.request(HeaderTarget(baseURL: try $0.baseURL, headers: nil))
        },
        HeaderWay("request of a client") {
            let client = APIClient(baseURL: try $0.baseURL, session: $0.manager)
            _ = try await client.send(HeaderRequest())
        },
    ]

    private static let resent = [
        HeaderWay("redirect") { _ = try await $0.manager.get("moved", headers: fields) },
        HeaderWay("challenge") { _ = try await $0.manager.get("private", headers: fields) },
        HeaderWay("retry") {
            $0.manager.interceptors = [.retryPolicy(exponentialBackoffScale: 0)]
            _ = try await $0.manager.get("busy", headers: fields)
        },
    ]
}

extension HeaderScene {
    fileprivate var baseURL: URL {
        get throws { try #require(manager.baseURL) }
    }
}

private struct AddingAdapter: RequestInterceptor {
    func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        var request = urlRequest
        for field in HeaderWay.fields { request.headers.update(field) }
        return request
    }
}

private struct HeaderTarget: TargetType, AccessTokenAuthorizable {
    let baseURL: URL
    let headers: [String: String]?
    let path = "a"
    let method = HTTPMethod.get
    let task = TargetTask.requestPlain
    let authorizationType: AuthorizationType? = .bearer
}

private struct AddingPlugin: PluginType {
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        var request = request
        request.headers = HeaderWay.fields
        return request
    }
}

private struct HeaderRequest: APIRequest {
    typealias Response = [String: Int]

    let path = "a"
    let headers = HeaderWay.fields
}
