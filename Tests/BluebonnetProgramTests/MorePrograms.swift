import BluebonnetChain

// Forty more programs. Each prints one line.

struct Fruit: Codable, Sendable, Equatable { let name: String; var count = 1 }
struct Nothing: Decodable, EmptyResponse { static func emptyValue() -> Nothing { Nothing() } }
enum Shop: URLRequestConvertible {
    case list(page: Int), add(Fruit)
    func asURLRequest() throws -> URLRequest {
        let url = try "https://shop.test/fruits".asURL()
        switch self {
        case .list(let page):
            return try URLEncoding.default.encode(URLRequest(url: url), with: ["page": page])
        case .add(let fruit):
            return try JSONParameterEncoder.sortedKeys.encode(
                fruit, into: URLRequest(url: url, method: .post))
        }
    }
}
struct Upper: DataPreprocessor {
    func preprocess(_ data: Data) throws -> Data {
        Data(String(decoding: data, as: UTF8.self).uppercased().utf8)
    }
}
let url = "https://shop.test/fruits"

/// A program, the responses to its requests, and the line that it prints.
struct Program: Sendable, CustomStringConvertible {
    let description: String
    let responses: [Reply]
    let line: String
    let run: @Sendable () async throws -> Void

    init(
        _ description: String, _ responses: [Reply], prints line: String,
        _ run: @escaping @Sendable () async throws -> Void
    ) {
        (self.description, self.responses, self.line, self.run) = (
            description, responses, line, run
        )
    }
}
struct Reply: Sendable { var status = 200; var headers: HTTPHeaders = [:]; var body = "" }
private let pear = [Reply(body: #"{"name":"pear","count":2}"#)]
private let text = [Reply(body: "text")]

let morePrograms: [Program] = [
    Program("a body as text", text, prints: "text") {
        AF.request(url).responseString { print($0.value ?? "") }
    },
    Program("a body as data", text, prints: "4") {
        AF.request(url).responseData { print($0.data?.count ?? 0) }
    },
    Program("a value", pear, prints: "pear") {
        AF.request(url).responseDecodable { (response: AFDataResponse<Fruit>) in
            print(response.value?.name ?? "")
        }
    },
    Program("an optional value", [Reply()], prints: "nil") {
        AF.request(url).responseDecodable(of: Fruit?.self) {
            print($0.value.flatMap(\.self)?.name as Any)
        }
    },
    Program("no content", [Reply(status: 204)], prints: "true") {
        AF.request(url, method: .delete).responseDecodable(of: Nothing.self) {
            print($0.value != nil)
        }
    },
    Program("an empty value", [Reply(status: 205)], prints: "true") {
        AF.request(url).responseDecodable(of: Empty.self) { print($0.value == Empty.value) }
    },
    Program("a status", [Reply(status: 418)], prints: "418") {
        AF.request(url).response { print($0.response?.statusCode ?? 0) }
    },
    Program("a refused status", [Reply(status: 500, body: "x")], prints: "500") {
        AF.request(url).validate().responseData { print($0.error?.responseCode ?? 0) }
    },
    Program("an accepted status", [Reply(status: 404)], prints: "nil") {
        AF.request(url).validate(statusCode: [404]).response { print($0.error as Any) }
    },
    Program("a refused type", [Reply(headers: ["Content-Type": "a/b"], body: "x")], prints: "a/b") {
        AF.request(url).validate(contentType: ["c/*"]).response {
            print($0.error?.responseContentType ?? "")
        }
    },
    Program("a validation of one's own", text, prints: "true") {
        AF.request(url).validate { _, _, data in
            data?.count == 4 ? .failure(URLError(.badServerResponse)) : .success(())
        }
        .response { print($0.error?.underlyingError is URLError) }
    },
    Program("the body of an error", [Reply(status: 400, body: "why")], prints: "why") {
        AF.request(url).validate().responseString {
            print(String(decoding: $0.error?.context.data ?? Data(), as: UTF8.self))
        }
    },
    Program("a router", pear, prints: "page=3") {
        AF.request(Shop.list(page: 3)).response { print($0.request?.url?.query ?? "") }
    },
    Program("a router with a body", pear, prints: #"{"count":1,"name":"fig"}"#) {
        AF.request(Shop.add(Fruit(name: "fig"))).response {
            print(String(decoding: $0.request?.httpBody ?? Data(), as: UTF8.self))
        }
    },
    Program("a query", pear, prints: "a=1&b%5B%5D=2&b%5B%5D=3") {
        AF.request(url, parameters: ["b": [2, 3], "a": 1]).response {
            print($0.request?.url?.query ?? "")
        }
    },
    Program("a dictionary variable", pear, prints: "a=1") {
        let dictionary: [String: any Sendable] = ["a": 1]
        AF.request(url, parameters: dictionary).response { print($0.request?.url?.query ?? "") }
    },
    Program("a form", pear, prints: "count=1&name=fig") {
        AF.request(url, method: .post, parameters: Fruit(name: "fig")).response {
            print(String(decoding: $0.request?.httpBody ?? Data(), as: UTF8.self))
        }
    },
    Program("JSON of a value", pear, prints: "application/json") {
        AF.request(url, method: .post, parameters: Fruit(name: "fig"), encoder: .json).response {
            print($0.request?.headers["Content-Type"] ?? "")
        }
    },
    Program("form options", pear, prints: "is=true") {
        AF.request(
            url, parameters: ["is": true],
            encoder: .urlEncodedForm(encoder: URLEncodedFormEncoder(boolEncoding: .literal))
        ).response { print($0.request?.url?.query ?? "") }
    },
    Program("headers", pear, prints: "de") {
        AF.request(url, headers: [.acceptLanguage("de")]).response {
            print($0.request?.headers.value(for: "accept-language") ?? "")
        }
    },
    Program("a login", pear, prints: "Basic dTpw") {
        AF.request(url, headers: [.authorization(username: "u", password: "p")]).response {
            print($0.request?.headers["Authorization"] ?? "")
        }
    },
    Program("a modifier", pear, prints: "7.0") {
        AF.request(url) { $0.timeoutInterval = 7 }.response {
            print($0.request?.timeoutInterval ?? 0)
        }
    },
    Program("an adapter", pear, prints: "1") {
        let adapter = Adapter { request, _, completion in
            var request = request
            request.headers.update(name: "X-A", value: "1")
            completion(.success(request))
        }
        AF.request(url, interceptor: adapter).response { print($0.request?.headers["X-A"] ?? "") }
    },
    Program("a retrier", [Reply(status: 503), Reply(body: "good")], prints: "good") {
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount < 1 ? .retry : .doNotRetry)
        }
        AF.request(url).retry(using: retrier).validate().responseString { print($0.value ?? "") }
    },
    Program("a policy", [Reply(status: 408), Reply(body: "good")], prints: "good") {
        AF.request(url, interceptor: .retryPolicy(exponentialBackoffScale: 0)).validate()
            .responseString { print($0.value ?? "") }
    },
    Program("an adapter that fails", [], prints: "true") {
        AF.request(url).adapt(
            using: Adapter { _, _, completion in
                completion(.failure(URLError(.userCancelledAuthentication)))
            }
        )
        .response { print($0.error?.isRequestAdaptationError ?? false) }
    },
    Program(
        "a redirect that is not followed", [Reply(status: 302, headers: ["Location": "/b"])],
        prints: "302"
    ) {
        AF.request(url).redirect(using: .doNotFollow).response {
            print($0.response?.statusCode ?? 0)
        }
    },
    Program(
        "a redirect that is followed",
        [Reply(status: 302, headers: ["Location": "/b"]), Reply(body: "b")], prints: "b"
    ) {
        AF.request(url).redirect(using: Redirector.follow).responseString { print($0.value ?? "") }
    },
    Program("a response that is not cached", text, prints: "text") {
        AF.request(url).cacheResponse(using: .doNotCache).responseString { print($0.value ?? "") }
    },
    Program("a response that is cached", text, prints: "text") {
        let cacher = ResponseCacher(behavior: .modify { _, response in response })
        AF.request(url).cacheResponse(using: cacher).responseString { print($0.value ?? "") }
    },
    Program("a preprocessor", text, prints: "TEXT") {
        AF.request(url).responseString(dataPreprocessor: Upper()) { print($0.value ?? "") }
    },
    Program(
        "a prefix of Google's", [Reply(body: ")]}',\n{\"name\":\"pear\",\"count\":2}")], prints: "2"
    ) {
        AF.request(url).responseDecodable(of: Fruit.self, dataPreprocessor: .googleXSSI) {
            print($0.value?.count ?? 0)
        }
    },
    Program("a mapped response", pear, prints: "PEAR") {
        AF.request(url).responseDecodable(of: Fruit.self) {
            print($0.map { $0.name.uppercased() }.value ?? "")
        }
    },
    Program("async value", pear, prints: "2") {
        print(try await AF.request(url).serializingDecodable(Fruit.self).value.count)
    },
    Program("async result", text, prints: "success(\"text\")") {
        print(await AF.request(url).serializingString().result)
    },
    Program("async error", [Reply(status: 404)], prints: "404") {
        do {
            _ = try await AF.request(url).validate().serializingData().value
        } catch {
            print(error.asAFError?.responseCode ?? 0)
        }
    },
    Program("an upload", pear, prints: "POST") {
        AF.upload(Data("x".utf8), to: url).response { print($0.request?.method?.rawValue ?? "") }
    },
    Program("a form with parts", pear, prints: "true") {
        AF.upload(multipartFormData: { $0.append(Data("1".utf8), withName: "a") }, to: url)
            .response {
                print(
                    $0.request?.headers["Content-Type"]?.hasPrefix("multipart/form-data") ?? false)
            }
    },
    Program("a download", text, prints: "4") {
        AF.download(url).responseData { print($0.value?.count ?? 0) }
    },
    Program("a stream", text, prints: "text") {
        AF.streamRequest(url).responseStreamString { if let text = $0.value { print(text) } }
    },
    Program("a stream of values", [Reply(body: "{\"name\":\"fig\",\"count\":3}\n")], prints: "3") {
        for await stream in AF.streamRequest(url).streamTask().streamingDecodables(Fruit.self) {
            if let fruit = stream.value { print(fruit.count) }
        }
    },
    Program("a command", pear, prints: "true") {
        AF.request(url).cURLDescription { print($0.hasPrefix("$ curl -v")) }.response { _ in }
    },
    Program("the head", pear, prints: "200") {
        AF.request(url).onHTTPResponse { print($0.statusCode) }.response { _ in }
    },
    Program("a cancel", [Reply()], prints: "true") {
        AF.request(url, shouldAutomaticallyResume: false).response {
            print($0.error?.isExplicitlyCancelledError ?? false)
        }.cancel()
    },
]
