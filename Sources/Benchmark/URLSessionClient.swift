import Foundation
import FoundationNetworking

/// One session, data tasks with completion handlers, and no cache or cookies to slow it down.
func runURLSession(url: URL, count: Int, concurrency: Int) throws -> ClientRun {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = concurrency
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.connectionProxyDictionary = [:]
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    return try ClosedLoop.measure(count: count, concurrency: concurrency) { completion in
        let task = session.dataTask(with: url) { data, response, error in
            guard let response = response as? HTTPURLResponse, let data else {
                completion(.failure(error.map { "\($0)" } ?? "neither response nor error"))
                return
            }
            completion(.response(status: response.statusCode, byteCount: data.count))
        }
        task.resume()
    }
}
