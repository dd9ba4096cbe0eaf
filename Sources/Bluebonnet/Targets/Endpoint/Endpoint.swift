import Foundation
public import FoundationNetworking

/// A target as a provider sends it, which an endpoint closure can change.
public struct Endpoint: Sendable {
    /// Makes the response of a stub.
    public typealias SampleResponseClosure = @Sendable () -> EndpointSampleResponse

    /// The URL as a text.
    public let url: String
    /// Makes the response of a stub.
    public let sampleResponseClosure: SampleResponseClosure
    /// The method.
    public let method: HTTPMethod
    /// What is sent with the request.
    public let task: TargetTask
    /// Header fields; nil for none.
    public let httpHeaderFields: [String: String]?
    /// Why there is no request of the target, where that is known already.
    private var failure: RequestSerializationError?

    /// Makes an endpoint.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute.
    ///   - sampleResponseClosure: Makes the response of a stub.
    ///   - method: The method.
    ///   - task: What is sent with the request.
    ///   - httpHeaderFields: Header fields; nil for none.
    public init(
        url: String,
        sampleResponseClosure: @escaping SampleResponseClosure,
        method: HTTPMethod,
        task: TargetTask,
        httpHeaderFields: [String: String]?
    ) {
        self.url = url
        self.sampleResponseClosure = sampleResponseClosure
        self.method = method
        self.task = task
        self.httpHeaderFields = httpHeaderFields
    }

    /// Makes the endpoint of a target, as ``TargetProvider/defaultEndpointMapping(for:)`` does.
    init(_ target: some TargetType) {
        let (base, path) = (target.baseURL, target.path)
        let text: String
        do {
            text = try URL(targetPath: path, below: base).absoluteString
        } catch {
            text = base.absoluteString + path
            failure = error
        }
        url = text
        sampleResponseClosure = { .networkResponse(200, target.sampleData) }
        method = target.method
        task = target.task
        httpHeaderFields = target.headers
    }

    /// The same with further header fields, which replace those of their names, in whatever case.
    ///
    /// - Parameter newHTTPHeaderFields: The fields.
    /// - Returns: The endpoint.
    public func adding(newHTTPHeaderFields: [String: String]) -> Endpoint {
        guard !newHTTPHeaderFields.isEmpty else { return self }
        let names = Set(newHTTPHeaderFields.keys.map { $0.lowercased() })
        let former = (httpHeaderFields ?? [:]).filter { !names.contains($0.key.lowercased()) }
        return copy(task, former.merging(newHTTPHeaderFields) { $1 })
    }

    /// The same with another task.
    ///
    /// - Parameter task: The task.
    /// - Returns: The endpoint.
    public func replacing(task: TargetTask) -> Endpoint {
        copy(task, httpHeaderFields)
    }

    private func copy(_ task: TargetTask, _ fields: [String: String]?) -> Endpoint {
        var endpoint = Endpoint(
            url: url, sampleResponseClosure: sampleResponseClosure, method: method, task: task,
            httpHeaderFields: fields)
        endpoint.failure = failure
        return endpoint
    }
}

extension Endpoint {
    /// The request of the endpoint.
    ///
    /// - Returns: The request, without the body of an upload, which is read while it is sent.
    /// - Throws: ``TargetError/requestMapping(_:)`` for what is no URL, ``TargetError/parameterEncoding(_:)`` for
    ///   parameters that cannot be sent, ``TargetError/encodableMapping(_:)`` for a value that cannot be encoded.
    public func urlRequest() throws(TargetError) -> URLRequest {
        guard failure == nil, let url = URL(string: url, encodingInvalidCharacters: false),
            url.scheme != nil
        else { throw .requestMapping(url) }
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        for (name, value) in httpHeaderFields ?? [:] {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return try task.adding(to: request)
    }
}
