import Bluebonnet
import BluebonnetTestSupport
import Foundation
import FoundationNetworking

// The calls that most programs contain: a base URL, a path, and an awaited answer.

/// The content of ``ServedFile/small``, as a typed call decodes it.
private struct Flower: Decodable, Sendable {
    let id: Int
    let name: String
    let bloom: String
    let petals: Int
}

private struct GetFlower: APIRequest {
    typealias Response = Flower
    let file: String
    var path: String { "/{file}" }
    var pathParameters: PathParameters { ["file": file] }
}

/// Runs the case with a verb that returns the body.
func runBluebonnetPath(_ parameters: ClientParameters) throws -> ClientRun {
    let (manager, path) = service(parameters)
    return try measure(parameters) { try await manager.get(path).count }
}

/// Runs the case with a verb that decodes the body, on a manager with the given interceptors.
func runBluebonnetPathTyped(
    _ parameters: ClientParameters, interceptors: [any RequestInterceptor] = []
) throws -> ClientRun {
    let (manager, path) = service(parameters)
    manager.interceptors = interceptors
    return try measure(parameters) {
        try await manager.get(path, as: Flower.self).name.utf8.count
    }
}

/// Runs the case with a request type whose response is decoded.
func runBluebonnetEndpoint(_ parameters: ClientParameters) throws -> ClientRun {
    let client = APIClient(
        baseURL: parameters.url.deletingLastPathComponent(),
        session: HTTPSessionManager(configuration: configuration(parameters)))
    let request = GetFlower(file: parameters.url.lastPathComponent)
    return try measure(parameters) { try await client.send(request).name.utf8.count }
}

/// Returns a manager for the server of a case, and the path of the case's file.
private func service(_ parameters: ClientParameters) -> (HTTPSessionManager, path: String) {
    let manager = HTTPSessionManager(
        baseURL: parameters.url.deletingLastPathComponent(),
        configuration: configuration(parameters))
    return (manager, parameters.url.lastPathComponent)
}

private func measure(
    _ parameters: ClientParameters, request: @escaping AsyncLoop.Request
) throws -> ClientRun {
    try AsyncLoop.measure(
        count: parameters.count, concurrency: parameters.concurrency, request: request)
}
