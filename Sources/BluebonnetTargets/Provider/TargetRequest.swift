import BluebonnetChain

/// The request of an endpoint, or the reason why there is none.
struct TargetRequest: URLRequestConvertible {
    let result: Result<URLRequest, TargetError>

    func asURLRequest() throws -> URLRequest { try result.get() }
}

extension TargetTask {
    /// A request of the chain that is not resumed.
    enum NewRequest {
        case data(DataRequest)
        case download(DownloadRequest)
    }

    /// Creates the request that the task is sent with.
    func makeRequest(
        _ source: TargetRequest, in session: Session, _ interceptor: TargetInterceptor?
    ) -> NewRequest {
        switch self {
        case .downloadDestination(let destination), .downloadParameters(_, _, let destination):
            .download(
                session.download(
                    source, interceptor: interceptor, shouldAutomaticallyResume: false,
                    to: destination))
        case .uploadFile(let file):
            .data(
                session.upload(
                    file, with: source, interceptor: interceptor, shouldAutomaticallyResume: false))
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _):
            .data(
                session.upload(
                    multipartFormData: form, with: source, interceptor: interceptor,
                    shouldAutomaticallyResume: false))
        default:
            .data(
                session.request(
                    source, interceptor: interceptor, shouldAutomaticallyResume: false))
        }
    }
}
