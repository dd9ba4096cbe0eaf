// swift-format-ignore-file
// A client of a code forge in the style of Moya's users. In the port, only the import and the line
// `var task: Moya.Task`, which was `Task`, were edited.
import BluebonnetTargets

enum Forge {
    case zen
    case search(String, page: Int?)
    case label(name: String, colors: [String])
    case raw(Data)
    case avatar(Data)
    case tagged(Data)
    case archive(URL)
    case export(URL, format: String)
}

extension Forge: TargetType, AccessTokenAuthorizable {
    var baseURL: URL { return URL(string: "https://forge.test")! }
    var path: String {
        switch self {
        case .zen: return "/zen"
        case .search: return "/search"
        case .label: return "/labels"
        case .raw: return "/raw"
        case .avatar, .tagged: return "/avatar"
        case .archive, .export: return "/archive"
        }
    }
    var method: Moya.Method {
        switch self {
        case .zen, .search, .archive, .export: return .get
        case .label, .raw, .avatar, .tagged: return .post
        }
    }
    var task: Moya.Task {
        switch self {
        case .zen:
            return .requestPlain
        case .search(let text, let page):
            var parameters: [String: Any] = ["q": text]
            if let page = page { parameters["page"] = page }
            return .requestParameters(parameters: parameters, encoding: URLEncoding.queryString)
        case .label(let name, let colors):
            let body: [String: Any] = ["name": name, "colors": colors]
            let query: [String: Any] = ["notify": false]
            return .requestCompositeParameters(bodyParameters: body, bodyEncoding: JSONEncoding.default, urlParameters: query)
        case .raw(let data):
            let query: [String: Any] = ["dry": 1]
            return .requestCompositeData(bodyData: data, urlParameters: query)
        case .avatar(let png):
            let form: Moya.MultipartFormData = [Moya.MultipartFormBodyPart(provider: .data(png), name: "file", fileName: "a.png", mimeType: "image/png")]
            return .uploadMultipartFormData(form)
        case .tagged(let png):
            var form = RequestMultipartFormData(fileManager: .default, boundary: "forge")
            form.append(png, withName: "file")
            let query: [String: Any] = ["tag": "new"]
            return .uploadCompositeMultipartFormData(form, urlParameters: query)
        case .archive(let file):
            let destination: DownloadDestination = { _, _ in (file, [.removePreviousFile]) }
            return .downloadDestination(destination)
        case .export(let file, let format):
            let query: [String: Any] = ["format": format]
            return .downloadParameters(parameters: query, encoding: URLEncoding.queryString, destination: { _, _ in (file, [.removePreviousFile]) })
        }
    }
    var validationType: Moya.ValidationType { return .successCodes }
    var sampleData: Data { return Data() }
    var headers: [String: String]? { return ["Accept": "application/json"] }
    var authorizationType: Moya.AuthorizationType? { return .bearer }
}

final class ForgeJournal: PluginType {
    func willSend(_ request: any RequestType, target: any TargetType) {
        print("->", target.path)
    }
    func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
        if case .success(let response) = result { print("<-", response.statusCode) }
    }
}

extension Moya.Response {
    func names() throws -> [String] {
        return try filterSuccessfulStatusCodes().map([String].self, atKeyPath: "items")
    }
}

/// Fails empty searches, and sends `zen` instead.
final class ForgeProvider: MoyaProvider<Forge>, @unchecked Sendable {
    override func request(_ target: Forge, callbackQueue: DispatchQueue? = .none, progress: Moya.ProgressBlock? = .none, completion: @escaping Moya.Completion) -> any Moya.Cancellable {
        if case .search("", _) = target {
            completion(.failure(MoyaError.requestMapping("empty")))
            return super.request(.zen, callbackQueue: callbackQueue) { _ in }
        }
        return super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
    }
}

struct ForgeClient {
    let provider: MoyaProvider<Forge>

    @discardableResult
    func send(_ target: Forge, progress: ProgressBlock? = nil, completion: @escaping Completion) -> any Cancellable {
        return provider.request(target, progress: progress, completion: completion)
    }

    func show(_ target: Forge) {
        let tell: ProgressBlock = { progress in if progress.completed { print("done", progress.progress) } }
        send(target, progress: tell) { (result: Result<Moya.Response, MoyaError>) in
            switch result {
            case .success(let response): print((try? response.names().joined(separator: "+")) ?? "none")
            case .failure(let error): print("failed", error.response?.statusCode ?? 0)
            }
        }
    }
}
