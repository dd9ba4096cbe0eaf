// swift-format-ignore-file
// Programs in the style of Moya's users.
// The test target defines its own providers and `print`.
import BluebonnetTargets

// ── 17 targets and provider; allowed: `Task` → `TargetTask`, `Moya.Method` → `Method` or `HTTPMethod` ──
enum GitHub17 { case zen, profile(String), createIssue(title: String, labels: [String]) }
extension GitHub17: TargetType {
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String {
        switch self {
        case .zen: return "/zen"
        case .profile(let name): return "/users/\(name)"
        case .createIssue: return "/issues"
        }
    }
    var method: Method { if case .createIssue = self { return .post } else { return .get } }
    var task: TargetTask {
        switch self {
        case .zen: return .requestPlain
        case .profile: return .requestParameters(parameters: ["full": true], encoding: URLEncoding.queryString)
        case .createIssue(let title, let labels): return .requestJSONEncodable(["title": [title], "labels": labels])
        }
    }
    var headers: [String: String]? { ["Accept": "application/json"] }
    var validationType: ValidationType { .successCodes }
    var sampleData: Data { Data("Half measures".utf8) }
}
func program17() {
    let provider = MoyaProvider<GitHub17>(plugins: [NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))])
    provider.request(.profile("ash")) { result in
        switch result {
        case .success(let response): print((try? response.filterSuccessfulStatusCodes().mapString()) ?? "", response.statusCode)
        case .failure(let error): print(error.errorDescription ?? "", error.response?.data.count ?? 0)
        }
    }
}

// ── 18 plugins; allowed: `Moya.Response` → `TargetResponse`, `any` before protocol types (Swift 6) ──
struct Stamp18: PluginType {
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        var request = request
        request.addValue("1", forHTTPHeaderField: "X-Stamp")
        return request
    }
    func process(_ result: Result<TargetResponse, MoyaError>, target: any TargetType) -> Result<TargetResponse, MoyaError> {
        result.flatMap { response in response.statusCode == 418 ? .failure(.statusCode(response)) : .success(response) }
    }
}
struct Private18: TargetType, AccessTokenAuthorizable {
    let baseURL = URL(string: "https://api.example.com")!, path = "me", method = HTTPMethod.get, task = TargetTask.requestPlain
    let headers: [String: String]? = nil
    let authorizationType: AuthorizationType? = .bearer
}
func program18() {
    let activity = NetworkActivityPlugin { change, _ in print(change == .began) }
    let provider = MoyaProvider<MultiTarget>(plugins: [Stamp18(), AccessTokenPlugin { _ in "token" }, activity])
    let token = provider.request(MultiTarget(Private18()), callbackQueue: DispatchQueue(label: "q")) { _ in }
    token.cancel()
}

// ── 19 stubs and mapping; unchanged except for the type names of 17 and 18 ───
struct Repo19: Decodable, Sendable { let name: String }
func program19() throws {
    let provider = MoyaProvider<GitHub17>(
        endpointClosure: { MoyaProvider<GitHub17>.defaultEndpointMapping(for: $0).adding(newHTTPHeaderFields: ["X-App": "1"]) },
        stubClosure: MoyaProvider<GitHub17>.immediatelyStub)
    provider.request(.zen) { print((try? $0.get().mapString()) ?? "") }
    let response = TargetResponse(statusCode: 200, data: Data(#"{"data":{"repo":{"name":"x"},"count":1}}"#.utf8))
    print(try response.map(Repo19.self, atKeyPath: "data.repo").name, try response.map(Int.self, atKeyPath: "data.count"))
    print(try response.filter(statusCodes: 200..<300).mapJSON())
}

// ── 20 uploads, progress, and the async form that Moya lacks ─────────────────
struct Avatar20: TargetType {
    let baseURL = URL(string: "https://api.example.com")!, path = "avatar", method = HTTPMethod.post
    var task: TargetTask { .uploadMultipartFormData([MultipartFormBodyPart(provider: .data(Data("png".utf8)), name: "file", fileName: "a.png", mimeType: "image/png")]) }
    var headers: [String: String]? { nil }
}
func program20() async throws {
    let provider = MoyaProvider<Avatar20>()
    provider.request(Avatar20(), progress: { print($0.progress, $0.completed) }, completion: { print($0) })
    let response = try await provider.request(Avatar20())  // not in Moya
    print(try response.filter(statusCode: 201).map([String: String].self))
}
