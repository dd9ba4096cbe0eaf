import BluebonnetTestSupport
import Foundation
import FoundationNetworking

/// Runs a case on one session, without cache and cookies, which would slow it down.
///
/// It uses completion handlers or, if bodies are decoded, the async call.
func runURLSession(_ parameters: ClientParameters) throws -> ClientRun {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = parameters.concurrency
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.connectionProxyDictionary = [:]
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    if case .typed = parameters.work {
        return try runTyped(session, parameters)
    }
    return try ClosedLoop.measure(parameters) { request, completion in
        let task = session.dataTask(with: request) { data, response, error in
            guard let response = response as? HTTPURLResponse, let data else {
                completion(.failure(error.map { "\($0)" } ?? "neither response nor error"))
                return
            }
            completion(.response(status: response.statusCode, byteCount: data.count))
        }
        task.resume()
    }
}

private func runTyped(_ session: URLSession, _ parameters: ClientParameters) throws -> ClientRun {
    let request = parameters.request
    return try AsyncLoop.measure(count: parameters.count, concurrency: parameters.concurrency) {
        let (data, _) = try await session.data(for: request)
        return try JSONDecoder().decode(CatalogPage.self, from: data).items.count
    }
}
