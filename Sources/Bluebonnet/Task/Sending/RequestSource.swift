import FoundationNetworking

/// The source of a task's request.
package enum RequestSource: Sendable {
    /// A request that was created before the task, or the error of creating it.
    case made(Result<URLRequest, BluebonnetError>)
    /// A closure that creates a new request for each attempt.
    ///
    /// For the first attempt, it is called on the thread that resumes the task.
    case maker(@Sendable () throws -> URLRequest)

    /// The request, if it was created before the task.
    var known: URLRequest? {
        if case .made(.success(let request)) = self { request } else { nil }
    }

    /// Returns the request for an attempt.
    package func make() throws(BluebonnetError) -> URLRequest {
        switch self {
        case .made(let result): return try result.get()
        case .maker(let make):
            do {
                let request = try make()
                // Foundation traps when a copy of a request without a URL is changed.
                guard request.url != nil else {
                    throw BluebonnetError.invalidRequest("the request has no URL", .init())
                }
                return request
            } catch let error as BluebonnetError {
                throw error
            } catch {
                throw .invalidRequest("\(error)", .init(underlying: error))
            }
        }
    }

    /// Returns a source that applies a change to each request.
    func map(_ change: @escaping @Sendable (URLRequest) -> URLRequest) -> RequestSource {
        switch self {
        case .made(let result): .made(result.map(change))
        case .maker(let make): .maker { change(try make()) }
        }
    }
}
