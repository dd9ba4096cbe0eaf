import Testing

@Suite("The former names of AFNetworking and Alamofire")
struct FormerNameTests {
    /// A line with a former name, and what the compiler says of it.
    private static let names: [(code: String, message: String)] = [
        ("_ = AFHTTPSessionManager(baseURL: nil)", "renamed to 'HTTPSessionManager'"),
        ("_ = AFURLSessionManager()", "renamed to 'SessionManager'"),
        (
            "let x: any AFURLRequestSerialization = JSONRequestSerializer(); _ = x",
            "'RequestSerializer'"
        ),
        ("_ = AFHTTPRequestSerializer()", "renamed to 'HTTPRequestSerializer'"),
        ("_ = AFJSONRequestSerializer()", "renamed to 'JSONRequestSerializer'"),
        ("_ = AFPropertyListRequestSerializer()", "renamed to 'PropertyListRequestSerializer'"),
        ("_ = AFHTTPResponseSerializer()", "renamed to 'HTTPResponseSerializer'"),
        ("_ = AFJSONResponseSerializer()", "renamed to 'JSONResponseSerializer'"),
        ("_ = AFXMLParserResponseSerializer()", "renamed to 'XMLParserResponseSerializer'"),
        ("_ = AFXMLDocumentResponseSerializer()", "renamed to 'XMLDocumentResponseSerializer'"),
        ("_ = AFPropertyListResponseSerializer()", "renamed to 'PropertyListResponseSerializer'"),
        ("_ = AFCompoundResponseSerializer([])", "renamed to 'CompoundResponseSerializer'"),
        ("_ = AFMultipartFormData()", "renamed to 'MultipartFormData'"),
        ("_ = AFSecurityPolicy()", "renamed to 'SecurityPolicy'"),
        ("_ = AFSSLPinningMode.none", "renamed to 'SecurityPolicy.PinningMode'"),
        (#"api.GET("x")"#, "renamed to 'get'"), (#"api.POST("x") { _ in }"#, "renamed to 'post'"),
        (#"api.PUT("x")"#, "renamed to 'put'"), (#"api.PATCH("x")"#, "renamed to 'patch'"),
        (#"api.DELETE("x")"#, "renamed to 'delete'"), (#"api.HEAD("x")"#, "renamed to 'head'"),
        (
            #"api.get("x", parameters: nil, progress: nil, success: { _, _ in }, failure: { _, _ in })"#,
            "pass one completionHandler"
        ),
        (
            #"api.post("x", parameters: ["a": 1], headers: nil, progress: nil, success: { t, o in print(o as Any) }, failure: { t, e in print(e) })"#,
            "pass one completionHandler"
        ),
        (
            "api.invalidateSessionCancelingTasks(true, resetSession: false)",
            "renamed to 'invalidate(cancelingTasks:resetSession:)'"
        ),
        ("api.setTaskDidCompleteBlock { _, _, _ in }", "set the closure taskDidComplete"),
        (
            "api.setTaskWillPerformHTTPRedirectionBlock(nil)",
            "set the closure taskWillPerformHTTPRedirection"
        ),
        ("api.setAuthenticationChallengeHandler(nil)", "set the closure didReceiveChallenge"),
        ("api.setDataTaskDidReceiveDataBlock(nil)", "set the closure dataTaskDidReceiveData"),
        (
            "api.setDataTaskWillCacheResponseBlock(nil)",
            "set the closure dataTaskWillCacheResponse"
        ),
        ("api.setDownloadTaskDidWriteDataBlock(nil)", "set the closure downloadTaskDidWriteData"),
        (
            #"api.requestSerializer.setAuthorizationHeaderFieldWithUsername("a", password: "b")"#,
            "renamed to 'setAuthorization(username:password:)'"
        ),
        ("api.requestSerializer.clearAuthorizationHeader()", "renamed to 'clearAuthorization()'"),
        (#"api.requestSerializer.setValue("a", forHTTPHeaderField: "b")"#, "set headers[field]"),
        ("_ = api.requestSerializer.httpRequestHeaders", "renamed to 'headers'"),
        (
            #"var f = MultipartFormData(); f.appendPart(withForm: Data(), name: "a")"#,
            "renamed to 'appendPart(formData:name:)'"
        ),
        (
            #"var f = MultipartFormData(); f.appendPart(withFileURL: file, name: "a")"#,
            "renamed to 'appendPart(fileURL:name:)'"
        ),
        (
            "_ = NSNotification.Name.AFNetworkingTaskDidComplete",
            "renamed to 'SessionTask.didCompleteNotification'"
        ),
        ("_ = ServerTrustPolicy()", "renamed to 'SecurityPolicy'"),
        ("let t: Timeline? = nil; _ = t", "renamed to 'TaskMetrics'"),
        ("let r: DefaultDataResponse? = nil; _ = r", "use Response<Data>"),
        (#"api.get("x") { r in print(r.timeline as Any) }"#, "renamed to 'metrics'"),
        (#"api.get("x") { r in print(r.result.value as Any) }"#, "use the response's value"),
        (
            #"api.get("x") { r in if r.result.isSuccess { print(1) } }"#,
            "check whether the response's error is nil"
        ),
        ("_ = SessionManager.defaultHTTPHeaders", "renamed to 'HTTPHeaders.sessionDefault'"),
        ("_ = HTTPHeader.defaultAcceptLanguage", "name the languages"),
    ]

    /// Cases of Alamofire's error, and what the compiler says of them.
    private static let cases: [(code: String, message: String)] = [
        (
            "throw AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: 401))",
            "use unacceptableStatus"
        ),
        (
            "throw AFError.responseValidationFailed(reason: .customValidationFailed(error: failure))",
            "throw your own error"
        ),
        (
            "throw AFError.responseSerializationFailed(reason: .inputDataNilOrZeroLength)",
            "use unreadableBody"
        ),
        (
            "throw AFError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: failure))",
            "use invalidRequest"
        ),
        ("throw AFError.parameterEncoderFailed(reason: 1)", "use invalidRequest"),
        ("throw AFError.multipartEncodingFailed(reason: 1)", "use isMultipartEncodingError"),
        ("throw AFError.createUploadableFailed(error: failure)", "use requestBody"),
        ("throw AFError.createURLRequestFailed(error: failure)", "use invalidRequest"),
        (#"throw AFError.invalidURL(url: "x")"#, "use invalidRequest"),
        ("throw AFError.urlRequestValidationFailed(reason: 1)", "use invalidRequest"),
        ("throw AFError.requestAdaptationFailed(error: failure)", "use adaptation"),
        (
            "throw AFError.requestRetryFailed(retryError: failure, originalError: failure)",
            "use retry"
        ),
        ("throw AFError.sessionTaskFailed(error: failure)", "use transport"),
        ("throw AFError.serverTrustEvaluationFailed(reason: 1)", "certificateFault"),
        (
            "throw AFError.downloadedFileMoveFailed(error: failure, source: file, destination: file)",
            "use file"
        ),
        ("throw AFError.sessionInvalidated(error: nil)", "sessionInvalidated(context)"),
        ("throw AFError.explicitlyCancelled", "use cancelled"),
        ("throw AFError.sessionDeinitialized", "holds its session"),
    ]

    @Test("each gets a fix-it, or a word on what to write, and nothing else goes wrong")
    func names() throws {
        #expect(Self.names.count >= 30)
        try check(Self.names)
    }

    @Test("each case of Alamofire's error gets a word on what to write")
    func cases() throws {
        try check(Self.cases, importing: "BluebonnetChain")
    }

    @Test("a destination without a directory gets a word on what to write")
    func destinations() throws {
        try check(
            [
                "", "options: []", "for: .cachesDirectory",
                "for: .cachesDirectory, in: .userDomainMask",
            ]
            .map {
                (
                    "_ = DownloadRequest.suggestedDownloadDestination(\($0))",
                    "suggestedDownloadDestination(in:options:)"
                )
            }, importing: "BluebonnetChain")
    }

    /// Lines that need another import, and that import.
    private static let namesOfModulesAbove: [(code: String, module: String)] = [
        ("func f(_ e: AFError) { print(e) }", "Chain"),
        ("let r: AFDataResponse<User>? = nil; _ = r", "Chain"),
        ("let r: DataRequest? = nil; _ = r", "Chain"),
        ("let r: DownloadRequest? = nil; _ = r", "Chain"),
        ("let r: UploadRequest? = nil; _ = r", "Chain"),
        ("let r: DataStreamRequest? = nil; _ = r", "Chain"),
        ("let e: URLEncoding? = nil; _ = e", "Chain"),
        ("let e: JSONEncoding? = nil; _ = e", "Chain"),
        ("let e: JSONParameterEncoder? = nil; _ = e", "Chain"),
        ("let u: (any URLConvertible)? = nil; _ = u", "Chain"),
        ("enum R: URLRequestConvertible { case a }", "Chain"),
        ("final class M: EventMonitor {}", "Chain"),
        ("enum T: TargetType { case a }", "Targets"),
        ("let p: TargetProvider<Choice>? = nil; _ = p", "Targets"),
        ("let p: MoyaProvider<Choice>? = nil; _ = p", "Targets"),
        ("let e: Endpoint? = nil; _ = e", "Targets"),
        ("let e: MoyaError? = nil; _ = e", "Targets"),
        ("struct P: PluginType {}", "Targets"),
        ("let p: NetworkLoggerPlugin? = nil; _ = p", "Targets"),
    ]

    @Test("the names of the chain and of targets get the import that they need")
    func imports() throws {
        try check(Self.namesOfModulesAbove.map { ($0.code, "import Bluebonnet\($0.module)") })
        // Here the compiler speaks of a type, whose name says it.
        try check([
            (
                #"AF.request("https://x.example/").responseDecodable(of: User.self) { _ in }"#,
                "'ImportBluebonnetChain'"
            ),
            ("let p = MoyaProvider<Choice>(); _ = p", "'ImportBluebonnetTargets'"),
        ])
    }

    @Test("the names of the chain and of targets are the real ones beside an import of the core")
    func realNames() throws {
        let text = """
            import Bluebonnet
            import BluebonnetChain
            import BluebonnetTargets
            enum GitHub: TargetType {
                case zen
                var baseURL: URL { URL(filePath: "/") }
                var path: String { "/zen" }
                var method: HTTPMethod { .get }
                var task: TargetTask { .requestParameters(parameters: [:], encoding: URLEncoding.default) }
            }
            final class Monitor: EventMonitor {}
            enum Router: URLRequestConvertible {
                case list
                func asURLRequest() throws -> URLRequest { URLRequest(url: URL(filePath: "/")) }
            }
            func use(_ url: any URLConvertible) -> (DataRequest, MoyaProvider<GitHub>, [any PluginType]) {
                let request = AF.request(url, encoding: JSONEncoding.default)
                AF.request(url, parameters: ["a": 1], encoder: JSONParameterEncoder.default)
                    .responseDecodable(of: [Int].self) { (response: AFDataResponse<[Int]>) in
                        let error: AFError? = response.error
                        print(error as Any)
                    }
                return (request, MoyaProvider<GitHub>(), [NetworkLoggerPlugin()])
            }
            func types() -> [Any.Type] {
                [
                    DownloadRequest.self, UploadRequest.self, DataStreamRequest.self,
                    TargetProvider<GitHub>.self, Endpoint.self, MoyaError.self,
                ]
            }
            """
        let diagnostics = try SwiftCompiler.check(["real.swift": text])
        #expect(diagnostics.isEmpty, "\(diagnostics)")
    }

    private func check(
        _ names: [(code: String, message: String)], importing module: String = "Bluebonnet"
    ) throws {
        let lines = names.map {
            FirstLine.sync("let failure = URLError(.badURL); _ = failure; \($0.code)")
        }
        let (text, places) = FirstLine.program(lines, importing: module)
        let errors = try SwiftCompiler.check(["former.swift": text]).filter {
            $0.severity == .error
        }
        for ((code, message), place) in zip(names, places) {
            let own = errors.filter { place.contains($0.line) }
            #expect(own.count == 1 && own[0].message.contains(message), "\(code)\n\(own)")
        }
        #expect(errors.count == names.count)
    }

    @Test("an extension of Result of the program's own is not in their way")
    func ownExtension() throws {
        let text = """
            import Bluebonnet
            extension Result {
                var value: Success? { try? get() }
                var isSuccess: Bool { value != nil }
            }
            let api = HTTPSessionManager()
            func own() { api.get("x") { r in print(r.result.value as Any, r.result.isSuccess) } }
            """
        #expect(try SwiftCompiler.check(["own.swift": text]).isEmpty)
    }
}
