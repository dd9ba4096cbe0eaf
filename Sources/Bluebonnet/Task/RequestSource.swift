import FoundationNetworking

/// What a task's request is made of.
enum RequestSource: Sendable {
    /// A request that was made before the task, or why there is none.
    case made(Result<URLRequest, BluebonnetError>)
    /// A closure that makes it anew for each attempt; for the first on the thread that resumes the task.
    case maker(@Sendable () throws -> URLRequest)

    /// The request, where it was made before the task.
    var known: URLRequest? {
        if case .made(.success(let request)) = self { request } else { nil }
    }

    /// Makes the request of an attempt.
    func make() throws(BluebonnetError) -> URLRequest {
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

    /// The same, with a change of each request that is made.
    func map(_ change: @escaping @Sendable (URLRequest) -> URLRequest) -> RequestSource {
        switch self {
        case .made(let result): .made(result.map(change))
        case .maker(let make): .maker { change(try make()) }
        }
    }
}
