import Bluebonnet
import BluebonnetTargets
import BluebonnetTestSupport
import Foundation
import FoundationNetworking

/// Runs a case through a manager with completion handlers, as server code would.
func runBluebonnet(_ parameters: ClientParameters) throws -> ClientRun {
    switch parameters.work {
    case .download: return try runBluebonnetDownload(parameters)
    case .upload: return try runBluebonnetUpload(parameters)
    case .typed: return try runBluebonnetTyped(parameters)
    case .chain: return try runBluebonnetChain(parameters)
    default: break
    }
    let manager = SessionManager(configuration: configuration(parameters))
    manager.securityPolicy.certificateAuthorities = parameters.authorities
    return try ClosedLoop.measure(parameters, exchange: exchange(of: manager))
}

/// Runs the case with the async call, in Swift tasks that prefer the executor, if any.
func runBluebonnetAsync(
    _ parameters: ClientParameters, executor: (any TaskExecutor)? = nil
) throws -> ClientRun {
    let manager = SessionManager(configuration: configuration(parameters))
    let request = parameters.request
    return try AsyncLoop.measure(
        count: parameters.count, concurrency: parameters.concurrency, executor: executor
    ) {
        try await manager.data(for: request).count
    }
}

/// Runs the case on a subclass, so that all its hooks are called.
func runBluebonnetSubclass(_ parameters: ClientParameters) throws -> ClientRun {
    // @unchecked as in the superclass: no stored state is added.
    final class Subclass: SessionManager, @unchecked Sendable {}
    let manager = Subclass(configuration: configuration(parameters))
    return try ClosedLoop.measure(parameters, exchange: exchange(of: manager))
}

/// An adapter that sets one field and does not suspend.
struct Stamp: RequestInterceptor {
    func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        var request = urlRequest
        request.setValue("1", forHTTPHeaderField: "X-Stamp")
        return request
    }
}

/// Runs the case on a manager with one adapter.
func runBluebonnetAdapter(_ parameters: ClientParameters) throws -> ClientRun {
    let manager = HTTPSessionManager(configuration: configuration(parameters))
    manager.interceptors = [Stamp()]
    return try ClosedLoop.measure(parameters, exchange: exchange(of: manager))
}

/// Runs the case on a manager that logs each request and counts it.
func runBluebonnetMonitored(_ parameters: ClientParameters) throws -> ClientRun {
    let manager = HTTPSessionManager(configuration: configuration(parameters))
    manager.addMonitor(LogMonitor(to: .nullDevice))
    manager.addMonitor(MetricsMonitor())
    return try ClosedLoop.measure(parameters, exchange: exchange(of: manager))
}

/// Runs the case with a verb method.
func runBluebonnetVerb(_ parameters: ClientParameters) throws -> ClientRun {
    let manager = HTTPSessionManager(configuration: configuration(parameters))
    let url = parameters.url.absoluteString
    return try ClosedLoop.measure(parameters) { _, completion in
        manager.get(url, serializer: HTTPResponseSerializer()) { tell(completion, of: $0) }
    }
}

/// Runs the case with the request chain.
func runBluebonnetChain(_ parameters: ClientParameters) throws -> ClientRun {
    let manager = HTTPSessionManager(configuration: configuration(parameters))
    let url = parameters.url.absoluteString
    return try ClosedLoop.measure(parameters) { _, completion in
        manager.request(url).validate().responseData { tell(completion, of: $0) }
    }
}

/// Runs the case with a verb's async form, which ignores the body, so that no decoder is measured.
func runBluebonnetVerbAsync(_ parameters: ClientParameters) throws -> ClientRun {
    let manager = HTTPSessionManager(configuration: configuration(parameters))
    let url = parameters.url.absoluteString
    return try AsyncLoop.measure(count: parameters.count, concurrency: parameters.concurrency) {
        _ = try await manager.get(url, as: EmptyBody.self)
        return ServedFile.smallText.utf8.count
    }
}

/// Runs the case with the chain's async form.
func runBluebonnetChainAsync(_ parameters: ClientParameters) throws -> ClientRun {
    let manager = HTTPSessionManager(configuration: configuration(parameters))
    let url = parameters.url.absoluteString
    return try AsyncLoop.measure(count: parameters.count, concurrency: parameters.concurrency) {
        _ = try await manager.request(url).validate().serializingDecodable(EmptyBody.self).value
        return ServedFile.smallText.utf8.count
    }
}

/// Runs the case with a provider of targets.
func runBluebonnetTarget(_ parameters: ClientParameters) throws -> ClientRun {
    struct File: TargetType {
        let baseURL: URL
        var path: String { "" }
        var method: HTTPMethod { .get }
        var task: TargetTask { .requestPlain }
        var validationType: ValidationType { .successCodes }
    }
    let manager = HTTPSessionManager(configuration: configuration(parameters))
    let provider = TargetProvider<File>(session: manager)
    let target = File(baseURL: parameters.url)
    return try ClosedLoop.measure(parameters) { _, completion in
        provider.request(target) { result in
            guard case .success(let response) = result else {
                return completion(.failure("\(result)"))
            }
            completion(
                .response(status: response.statusCode, byteCount: response.data.count))
        }
    }
}

/// Runs the case with a typed request, which ignores the body, so that no decoder is measured.
func runBluebonnetTypedRequest(_ parameters: ClientParameters) throws -> ClientRun {
    struct GetFile: APIRequest {
        var path: String { "" }
    }
    let manager = HTTPSessionManager(configuration: configuration(parameters))
    let client = APIClient(baseURL: parameters.url, session: manager)
    return try AsyncLoop.measure(count: parameters.count, concurrency: parameters.concurrency) {
        _ = try await client.send(GetFile())
        return ServedFile.smallText.utf8.count
    }
}

/// Measures requests at one point of one scaling axis.
func runBluebonnetScaling(_ point: ScalingPoint, _ parameters: ClientParameters) throws -> ClientRun
{
    let manager = SessionManager(configuration: configuration(parameters))
    return try point.measure(parameters, exchange: exchange(of: manager))
}

private func runBluebonnetTyped(_ parameters: ClientParameters) throws -> ClientRun {
    let manager = HTTPSessionManager(configuration: configuration(parameters))
    let url = parameters.url.absoluteString
    return try AsyncLoop.measure(count: parameters.count, concurrency: parameters.concurrency) {
        try await manager.get(url, as: CatalogPage.self).items.count
    }
}

func configuration(_ parameters: ClientParameters) -> SessionConfiguration {
    var configuration = SessionConfiguration.default
    configuration.maximumConnectionsPerHost = parameters.connections
    configuration.maximumConnections = max(
        configuration.maximumConnections, parameters.connections
    )
    return configuration
}

func exchange(of manager: SessionManager) -> ClosedLoop.Exchange {
    { request, completion in
        manager.dataTask(with: request, serializer: HTTPResponseSerializer()) { response in
            tell(completion, of: response)
        }.resume()
    }
}

private func tell(_ completion: ClosedLoop.Completion, of response: Response<Data>) {
    guard let head = response.head, let data = response.value else {
        return completion(.failure("\(response.result)"))
    }
    completion(.response(status: head.statusCode, byteCount: data.count))
}
