import Bluebonnet

/// Runs a case through a manager with completion handlers, as a server's code would.
func runBluebonnet(url: URL, count: Int, concurrency: Int, trusting: URL?) throws -> ClientRun {
    var configuration = SessionConfiguration.default
    configuration.maximumConnectionsPerHost = concurrency
    let manager = SessionManager(configuration: configuration)
    manager.securityPolicy.certificateAuthorities = trusting
    let request = URLRequest(url: url)
    return try ClosedLoop.measure(count: count, concurrency: concurrency) { completion in
        manager.dataTask(with: request, serializer: HTTPResponseSerializer()) { response in
            guard let head = response.head, let data = response.value else {
                return completion(.failure("\(response.result)"))
            }
            completion(.response(status: head.statusCode, byteCount: data.count))
        }.resume()
    }
}
