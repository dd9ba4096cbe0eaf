import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet
@testable import BluebonnetTargets

@Suite("Endpoints and tasks of targets")
struct EndpointTests {
    private struct Query: Encodable { var page = 2 }
    private struct Body: Encodable { var name = "x" }
    private struct Endless: Encodable {
        func encode(to encoder: any Encoder) throws { throw URLError(.badURL) }
    }

    private func endpoint(
        _ task: TargetTask, method: HTTPMethod = .post, url: String = "https://h/a?k=1",
        fields: [String: String]? = ["X-A": "1"]
    ) -> Endpoint {
        Endpoint(
            url: url, sampleResponseClosure: { .networkResponse(200, Data()) }, method: method,
            task: task, httpHeaderFields: fields)
    }

    private func sent(_ task: TargetTask, method: HTTPMethod = .post) throws -> String {
        let request = try endpoint(task, method: method).urlRequest()
        let body = request.httpBody.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
        let type = request.value(forHTTPHeaderField: "Content-Type").map { " [\($0)]" } ?? ""
        #expect(request.value(forHTTPHeaderField: "X-A") == "1")
        return "\(request.httpMethod ?? "") \(request.url?.query ?? "")\(type)\(body)"
    }

    @Test("each task puts its content in the right place")
    func tasks() throws {
        let json = "[application/json]"
        let form = "[application/x-www-form-urlencoded; charset=utf-8]"
        #expect(try sent(.requestPlain) == "POST k=1")
        #expect(try sent(.requestData(Data("d".utf8))) == "POST k=1 d")
        #expect(try sent(.requestJSONEncodable(Body())) == #"POST k=1 \#(json) {"name":"x"}"#)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        #expect(
            try sent(.requestCustomJSONEncodable(Body(), encoder: encoder))
                == "POST k=1 \(json) {\n  \"name\" : \"x\"\n}")
        #expect(
            try sent(.requestParameters(parameters: ["b": 2], encoding: URLEncoding.default))
                == "POST k=1 \(form) b=2")
        #expect(
            try sent(
                .requestParameters(parameters: ["b": 2], encoding: URLEncoding.default),
                method: .get) == "GET k=1&b=2")
        #expect(
            try sent(.requestParameters(parameters: ["b": 2], encoding: JSONEncoding.default))
                == #"POST k=1 \#(json) {"b":2}"#)
        #expect(try sent(.requestQueryEncodable(Query())) == "POST k=1&page=2")
        #expect(
            try sent(.requestCompositeData(bodyData: Data("d".utf8), urlParameters: ["b": 2]))
                == "POST k=1&b=2 d")
        for encoding in [JSONEncoding.default as any ParameterEncoding, URLEncoding.httpBody] {
            let text = try sent(
                .requestCompositeParameters(
                    bodyParameters: ["c": 3], bodyEncoding: encoding, urlParameters: ["b": 2]))
            #expect(text.hasPrefix("POST k=1&b=2 [") && text.contains("3"))
        }
        #expect(
            try sent(.requestCompositeEncodable(body: Body(), query: Query()))
                == #"POST k=1&page=2 \#(json) {"name":"x"}"#)
        #expect(try sent(.uploadFile(URL(fileURLWithPath: "/f"))) == "POST k=1")
        #expect(try sent(.uploadMultipartFormData(Self.form)) == "POST k=1")
        #expect(
            try sent(.uploadCompositeMultipartFormData(Self.form, urlParameters: ["b": 2]))
                == "POST k=1&b=2")
        #expect(try sent(.downloadDestination { url, _ in (url, []) }, method: .get) == "GET k=1")
        #expect(
            try sent(
                .downloadParameters(parameters: ["b": 2], encoding: URLEncoding.default) {
                    url, _ in (url, [])
                }, method: .get) == "GET k=1&b=2")
    }

    @Test("a target's content type is kept")
    func contentType() throws {
        let endpoint = endpoint(
            .requestJSONEncodable(Body()), fields: ["content-type": "application/vnd.x+json"])
        #expect(
            try endpoint.urlRequest().value(forHTTPHeaderField: "Content-Type")
                == "application/vnd.x+json")
    }

    private static let form: MultipartFormData = [
        MultipartFormBodyPart(provider: .data(Data("d".utf8)), name: "n")
    ]

    @Test(
        "what traps in Moya is an error: empty forms, forms with GET, bad composites"
    )
    func refused() {
        let bad: [(TargetTask, HTTPMethod)] = [
            (.uploadMultipartFormData([]), .post),
            (.uploadCompositeMultipartFormData([], urlParameters: [:]), .post),
            (.uploadMultipartFormData(Self.form), .get),
            (.uploadMultipartFormData(Self.form), .delete),
            (
                .requestCompositeParameters(
                    bodyParameters: ["a": 1], bodyEncoding: URLEncoding.queryString,
                    urlParameters: ["b": 1]), .post
            ),
            (
                .requestCompositeParameters(
                    bodyParameters: ["a": 1], bodyEncoding: URLEncoding.default,
                    urlParameters: ["b": 1]), .post
            ),
            (
                .requestParameters(parameters: ["a": Double.nan], encoding: JSONEncoding.default),
                .post
            ),
        ]
        for (task, method) in bad {
            #expect {
                try endpoint(task, method: method).urlRequest()
            } throws: { error in
                if case .parameterEncoding? = error as? TargetError { true } else { false }
            }
        }
        for task in [
            TargetTask.requestJSONEncodable(Endless()), .requestQueryEncodable(Endless()),
            .requestCompositeEncodable(body: Body(), query: Endless()),
        ] {
            #expect {
                try endpoint(task).urlRequest()
            } throws: { error in
                if case .encodableMapping? = error as? TargetError { true } else { false }
            }
        }
        for url in ["", "h/a", "https://a b/", "http://[bad"] {
            #expect {
                try endpoint(.requestPlain, url: url).urlRequest()
            } throws: { error in
                if case .requestMapping(url)? = error as? TargetError { true } else { false }
            }
        }
    }

    @Test("fields are added in any case, and a task can be replaced")
    func changed() throws {
        let first = endpoint(.requestPlain)
        #expect(first.adding(newHTTPHeaderFields: [:]).httpHeaderFields == ["X-A": "1"])
        #expect(
            first.adding(newHTTPHeaderFields: ["x-a": "2", "B": "3"]).httpHeaderFields
                == ["x-a": "2", "B": "3"])
        let replaced = first.replacing(task: .requestData(Data("d".utf8)))
        #expect(try replaced.urlRequest().httpBody == Data("d".utf8))
        #expect(
            endpoint(.requestPlain, fields: nil).adding(newHTTPHeaderFields: ["A": "1"])
                .httpHeaderFields == ["A": "1"])
    }

    @Test("endpoints are equal if their requests, bodies, files and forms are")
    func equality() {
        let plain = endpoint(.requestPlain)
        #expect(
            plain == endpoint(.requestPlain) && plain.hashValue == endpoint(.requestPlain).hashValue
        )
        #expect(plain != endpoint(.requestPlain, method: .get))
        #expect(plain != endpoint(.requestPlain, fields: nil))
        #expect(plain != endpoint(.requestData(Data("d".utf8))))
        #expect(
            endpoint(.requestData(Data("d".utf8))) == endpoint(.requestData(Data("d".utf8))))
        #expect(
            endpoint(.downloadDestination { url, _ in (url, []) })
                == endpoint(.downloadDestination { url, _ in (url, [.removePreviousFile]) }))
        let (one, two) = (URL(fileURLWithPath: "/1"), URL(fileURLWithPath: "/2"))
        #expect(endpoint(.uploadFile(one)) == endpoint(.uploadFile(one)))
        #expect(endpoint(.uploadFile(one)) != endpoint(.uploadFile(two)))
        #expect(endpoint(.uploadFile(one)) != plain)
        func form(_ text: String) -> Endpoint {
            endpoint(
                .uploadMultipartFormData([
                    MultipartFormBodyPart(provider: .data(Data(text.utf8)), name: "n")
                ]))
        }
        #expect(form("a") == form("a") && form("a") != form("b") && form("a") != plain)
        let coded = endpoint(
            .requestParameters(parameters: ["a": 1], encoding: URLEncoding.queryString),
            url: "https://h/")
        let plainURL = endpoint(.requestPlain, url: "https://h/?a=1")
        #expect(coded == plainURL && coded.hashValue == plainURL.hashValue)
        let broken = endpoint(.requestPlain, url: "")
        #expect(broken == endpoint(.requestPlain, url: "") && broken != plain)
    }

    @Test(
        "parts are data, files or streams, and given values override the file's"
    )
    func parts() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("photo.png")
        try Data("p".utf8).write(to: file)
        let form = MultipartFormData(
            boundary: "B",
            parts: [
                MultipartFormBodyPart(provider: .data(Data("d".utf8)), name: "1"),
                MultipartFormBodyPart(
                    provider: .data(Data("d".utf8)), name: "2", fileName: "f", mimeType: "a/b"),
                MultipartFormBodyPart(provider: .file(file), name: "3"),
                MultipartFormBodyPart(provider: .file(file), name: "4", fileName: "other"),
                MultipartFormBodyPart(
                    provider: .stream({ InputStream(data: Data("s".utf8)) }, 1), name: "5"),
            ])
        let text = String(decoding: try form.encode(), as: UTF8.self)
        let parts = text.components(separatedBy: "--B").map { $0.replacing("\r\n", with: "|") }
        #expect(parts[1] == #"|Content-Disposition: form-data; name="1"||d|"#)
        #expect(
            parts[2]
                == #"|Content-Disposition: form-data; name="2"; filename="f"|Content-Type: a/b||d|"#
        )
        #expect(parts[3].contains(#"name="3"; filename="photo.png"|Content-Type: image/png||p|"#))
        #expect(parts[4].contains(#"name="4"; filename="other""#))
        #expect(parts[5].contains(#"name="5"; filename="""#) && parts[5].hasSuffix("||s|"))
        #expect(throws: MultipartFailure.self) {
            try MultipartFormData(boundary: "bad\r\n", parts: [parts1]).encode()
        }
        #expect(throws: MultipartFailure.self) {
            try MultipartFormData(parts: [
                MultipartFormBodyPart(provider: .file(directory.file("none")), name: "n")
            ]).encode()
        }
    }

    private var parts1: MultipartFormBodyPart {
        MultipartFormBodyPart(provider: .data(Data()), name: "n")
    }

    @Test("one provider can send any target, and MultiTarget has its target's properties")
    func multiTarget() throws {
        struct Private: TargetType, AccessTokenAuthorizable {
            let baseURL: URL
            let path = "me"
            let method = HTTPMethod.put
            let task = TargetTask.requestPlain
            let validationType = ValidationType.successCodes
            let headers: [String: String]? = ["A": "1"]
            let authorizationType: AuthorizationType? = .custom("Token")
            let sampleData = Data("s".utf8)
        }
        let base = try #require(URL(string: "https://h/"))
        let multi = MultiTarget(Private(baseURL: base))
        #expect(multi.baseURL == base && multi.path == "me" && multi.method == .put)
        #expect(multi.headers == ["A": "1"] && multi.validationType == .successCodes)
        #expect(multi.sampleData == Data("s".utf8) && multi.target is Private)
        #expect(multi.authorizationType?.value == "Token")
        #expect(try Endpoint(multi).urlRequest().url?.absoluteString == "https://h/me")
        #expect(
            AuthorizationType.basic.value == "Basic" && AuthorizationType.bearer.value == "Bearer")
    }

    @Test(
        "only base, path, method and task are required; validations list statuses"
    )
    func defaults() throws {
        struct Small: TargetType {
            let baseURL: URL
            let path = ""
            var method: Method { .get }
            let task = TargetTask.requestPlain
        }
        let target = Small(baseURL: try #require(URL(string: "https://h/")))
        #expect(
            target.headers == nil && target.sampleData.isEmpty && target.validationType == .none)
        #expect(ValidationType.none.statusCodes.isEmpty)
        #expect(ValidationType.successCodes.statusCodes == Array(200...299))
        #expect(ValidationType.successAndRedirectCodes.statusCodes == Array(200...399))
        #expect(ValidationType.customCodes([418]).statusCodes == [418])
    }
}
