// swift-format-ignore-file
// Programs in the style of Alamofire's users.
// The test target defines its own `AF` and `print`.
import BluebonnetChain

// ── 01 GET, validate, decode; unchanged ──────────────────────────────────────
struct User01: Decodable, Sendable { let id: Int; let name: String }
func program01() {
    AF.request("https://api.example.com/users/7")
        .validate()
        .responseDecodable(of: User01.self) { response in
            switch response.result {
            case .success(let user): print(user.name)
            case .failure(let error): print(error.responseCode ?? 0, error.localizedDescription)
            }
        }
}

// ── 02 async/await, Encodable parameters, headers; unchanged ─────────────────
struct Login02: Encodable, Sendable { let email: String; let password: String }
struct Token02: Decodable, Sendable { let value: String }
func program02() async throws -> String {
    let headers: HTTPHeaders = [.accept("application/json"), .authorization(bearerToken: "t")]
    let token = try await AF.request("https://api.example.com/login", method: .post,
                                     parameters: Login02(email: "a@b.c", password: "p"),
                                     encoder: JSONParameterEncoder.default, headers: headers)
        .validate(statusCode: 200..<300)
        .serializingDecodable(Token02.self)
        .value
    return token.value
}

// ── 03 dictionary parameters, both encodings, form encoder options; unchanged ─
struct Search03: Encodable, Sendable { let searchText: String; let tags: [String]; let exact: Bool }
func program03() {
    let parameters: Parameters = ["page": 1, "ids": [3, 1, 2], "draft": false]
    AF.request("https://api.example.com/items", parameters: parameters, encoding: URLEncoding(arrayEncoding: .noBrackets, boolEncoding: .literal))
        .responseString { print($0.value ?? "") }
    AF.request("https://api.example.com/items", method: .put, parameters: parameters, encoding: JSONEncoding.default)
        .response { print($0.response?.statusCode ?? 0) }
    let form = URLEncodedFormEncoder(arrayEncoding: .indexInBrackets, boolEncoding: .literal, keyEncoding: .convertToSnakeCase, spaceEncoding: .plusReplaced)
    AF.request("https://api.example.com/search", parameters: Search03(searchText: "a b", tags: ["x"], exact: true),
               encoder: URLEncodedFormParameterEncoder(encoder: form, destination: .queryString))
        .responseData { print($0.data?.count ?? 0) }
}

// ── 04 a router; unchanged ───────────────────────────────────────────────────
enum Router04: URLRequestConvertible {
    case users(page: Int), delete(Int)
    func asURLRequest() throws -> URLRequest {
        let base = try "https://api.example.com".asURL()
        switch self {
        case .users(let page):
            return try URLEncodedFormParameterEncoder.default.encode(["page": page], into: URLRequest(url: base.appendingPathComponent("users"), method: .get))
        case .delete(let id):
            return try URLRequest(url: base.appendingPathComponent("users/\(id)"), method: .delete, headers: ["X-Reason": "test"])
        }
    }
}
func program04() async { print(await AF.request(Router04.users(page: 2)).serializingString().response.response?.statusCode ?? 0) }

// ── 05 an interceptor with completion handlers; unchanged ────────────────────
final class TokenInterceptor05: RequestInterceptor {
    func adapt(_ urlRequest: URLRequest, for session: Session, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) {
        var request = urlRequest
        request.headers.update(.authorization(bearerToken: "t"))
        completion(.success(request))
    }
    func retry(_ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void) {
        guard request.retryCount < 2, request.response?.statusCode == 503 else { return completion(.doNotRetry) }
        completion(.retryWithDelay(0.25))
    }
}
func program05() {
    let session = Session(interceptor: TokenInterceptor05())
    session.request("https://api.example.com/a").validate().responseData { print($0.result) }
}

// ── 06 composed interceptors and policies; unchanged ─────────────────────────
func program06() async throws -> Data {
    let stamp = Adapter { request, _, completion in
        var request = request
        request.headers["X-Request-ID"] = UUID().uuidString
        completion(.success(request))
    }
    let interceptor = Interceptor(adapters: [stamp], retriers: [RetryPolicy(retryLimit: 3)], interceptors: [ConnectionLostRetryPolicy()])
    return try await AF.request("https://api.example.com/b", interceptor: interceptor)
        .validate().serializingData(emptyResponseCodes: [200, 204, 205]).value
}

// ── 07 OAuth-like refresh; unchanged ─────────────────────────────────────────
struct Credential07: AuthenticationCredential, Sendable {
    let token: String; let expiration: Date
    var requiresRefresh: Bool { expiration < Date().addingTimeInterval(60) }
}
final class Authenticator07: Authenticator {
    func apply(_ credential: Credential07, to urlRequest: inout URLRequest) { urlRequest.headers.update(.authorization(bearerToken: credential.token)) }
    func refresh(_ credential: Credential07, for session: Session, completion: @escaping @Sendable (Result<Credential07, any Error>) -> Void) {
        completion(.success(Credential07(token: "new", expiration: Date().addingTimeInterval(3600))))
    }
    func didRequest(_ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error) -> Bool { response.statusCode == 401 }
    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential07) -> Bool { urlRequest.headers["Authorization"] == "Bearer \(credential.token)" }
}
func program07() {
    let interceptor = AuthenticationInterceptor(authenticator: Authenticator07(), credential: Credential07(token: "old", expiration: .distantPast),
                                                refreshWindow: .init(interval: 30, maximumAttempts: 5))
    AF.request("https://api.example.com/me", interceptor: interceptor).validate().response { print($0.error?.isRequestAdaptationError ?? false) }
}

// ── 08 download with destination and progress; unchanged ─────────────────────
func program08() {
    let destination: DownloadRequest.Destination = { _, response in
        (URL(fileURLWithPath: "/tmp/files/\(response.suggestedFilename ?? "file")"), [.removePreviousFile, .createIntermediateDirectories])
    }
    AF.download("https://example.com/big.iso", to: destination)
        .downloadProgress { print($0.fractionCompleted) }
        .validate()
        .responseURL { print($0.fileURL?.path ?? "", $0.resumeData?.count ?? 0) }
}

// ── 09 resume a download, and stop one for later; unchanged ─────────────────
func program09(resumeData: Data) async throws -> URL {
    try await AF.download(resumingWith: resumeData).validate().serializingDownloadedFileURL().value
}
func program09(_ running: DownloadRequest) {
    running.cancel(byProducingResumeData: { data in print(data?.count ?? 0) })
    running.responseData { print($0.error?.isExplicitlyCancelledError ?? false, $0.resumeData?.count ?? 0) }
}

// ── 10 multipart upload; unchanged (the parameter is inout here) ─────────────
func program10(photo: URL) {
    AF.upload(multipartFormData: { form in
        form.append(Data("at the lake".utf8), withName: "caption")
        form.append(photo, withName: "photo", fileName: "p.jpg", mimeType: "image/jpeg")
    }, to: "https://api.example.com/photos", headers: ["X-Album": "7"])
    .uploadProgress { progress in print(progress.completedUnitCount) }
    .responseDecodable(of: [String: Int].self) { print($0.value ?? [:]) }
}

// ── 11 upload data and a file; unchanged ─────────────────────────────────────
func program11() async {
    let fromData = await AF.upload(Data("x".utf8), to: "https://api.example.com/raw", method: .put).serializingData().result
    let fromFile = await AF.upload(URL(fileURLWithPath: "/tmp/x"), to: "https://api.example.com/raw").serializingString().response
    print(fromData, fromFile.metrics?.taskInterval.duration ?? 0)
}

// ── 12 streams: closure and async; unchanged ─────────────────────────────────
struct Event12: Decodable, Sendable { let id: Int }
func program12() async {
    AF.streamRequest("https://api.example.com/events").validate().responseStreamString { stream in
        switch stream.event {
        case .stream(.success(let text)): print(text); if text.contains("end") { stream.cancel() }
        case .complete(let completion): print(completion.error as Any)
        }
    }
    for await stream in AF.streamRequest("https://api.example.com/events").streamTask().streamingDecodables(Event12.self) {
        if let value = stream.value { print(value.id) }
    }
}

// ── 13 event monitor; one allowed difference: the task type ──────────────────
final class Logger13: EventMonitor {
    let queue = DispatchQueue(label: "logger")
    func requestDidResume(_ request: Request) { print("→", request) }
    func requestIsRetrying(_ request: Request) { print("again", request.retryCount) }
    func request(_ request: Request, didCompleteTask task: SessionTask, with error: AFError?) {}
    func request<Value: Sendable>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) { print(response.result) }
}
func program13() {
    let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "m"))
    monitor.requestDidFinish = { print("done", $0.id) }
    let session = Session(eventMonitors: [Logger13(), monitor])
    session.request("https://example.com").cURLDescription { print($0) }.response { _ in }
}

// ── 14 redirects, modifiers, custom validation; one allowed difference ───────
struct Blocked14: Error {}
func program14() {
    let redirector = Redirector(behavior: .modify { task, request, response in
        response.statusCode == 301 ? request : nil
    })
    AF.request("https://example.com", requestModifier: { $0.timeoutInterval = 5 })
        .redirect(using: redirector)
        .validate { request, response, data in response.statusCode == 451 ? .failure(Blocked14()) : .success(()) }
        .validate(contentType: ["text/*", "application/json"])
        .authenticate(username: "u", password: "p")
        .response { print($0.error?.underlyingError is Blocked14) }
}

// ── 15 suspend, cancel, cancel all, manual start; unchanged ──────────────────
func program15() {
    let session = Session(startRequestsImmediately: false)
    let request = session.request("https://example.com").response { print($0.error?.isExplicitlyCancelledError ?? false) }
    request.resume()
    request.suspend()
    request.resume()
    request.cancel()
    session.withAllRequests { print($0.count, request.state == .cancelled) }
    session.cancelAllRequests { print("all canceled") }
}

// ── 16 map, a custom serializer, a queue; unchanged ──────────────────────────
struct LineSerializer16: DataResponseSerializerProtocol {  // another protocol in Bluebonnet
    func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws -> [String] {
        if let error { throw error }
        return String(decoding: data ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
func program16() {
    AF.request("https://example.com/lines")
        .response(queue: DispatchQueue(label: "lines"), responseSerializer: LineSerializer16()) { (response: AFDataResponse<[String]>) in
            let count = response.map(\.count)
            print(count.value ?? 0, response.tryMap { try $0.first.orThrow16() }.value ?? "")
        }
}
extension Optional { func orThrow16() throws -> Wrapped { if let self { self } else { throw Blocked14() } } }
