public import Foundation
public import FoundationNetworking

/// The response to a target, whatever its status.
public struct TargetResponse: Sendable {
    /// The status code.
    public let statusCode: Int
    /// The body; empty for a download.
    public let data: Data
    /// The request as it was last sent.
    public let request: URLRequest?
    /// Status and header fields; nil of a response that was made without them.
    public let head: ResponseHead?
    /// What was measured; nil when nothing was sent.
    public let metrics: TaskMetrics?
    /// Where a download was put; nil for others.
    public let fileURL: URL?
    /// What the response was made with.
    private let givenResponse: HTTPURLResponse?

    /// Makes a response, as a test does.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - data: The body.
    ///   - request: The request; default nil.
    ///   - response: The head; default nil.
    public init(
        statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil
    ) {
        self.statusCode = statusCode
        self.data = data
        self.request = request
        givenResponse = response
        head = response.flatMap { response in
            response.url.map {
                ResponseHead(
                    statusCode: response.statusCode,
                    headers: response.headers, url: $0)
            }
        }
        (metrics, fileURL) = (nil, nil)
    }

    /// The response of a task; nil if it has none.
    init?(_ task: TaskOutcome) {
        guard let head = task.head else { return nil }
        statusCode = head.statusCode
        data = task.data ?? Data()
        request = task.request
        self.head = head
        metrics = task.metrics
        fileURL = task.fileURL
        givenResponse = nil
    }

    /// Foundation's form of the head.
    public var response: HTTPURLResponse? { givenResponse ?? head?.httpURLResponse }
}

extension TargetResponse: Equatable {
    /// Compares status, body and header fields.
    public static func == (left: TargetResponse, right: TargetResponse) -> Bool {
        left.statusCode == right.statusCode && left.data == right.data
            && left.head?.url == right.head?.url && left.head?.headers == right.head?.headers
    }
}

extension TargetResponse: CustomStringConvertible {
    /// Status and length, such as `Status Code: 200, Data Length: 5`.
    public var description: String { "Status Code: \(statusCode), Data Length: \(data.count)" }
}

extension TargetResponse {
    /// The response, if its status is in a range.
    ///
    /// - Parameter statusCodes: The range, such as `200...299` or `400...`.
    /// - Returns: The response.
    /// - Throws: ``TargetError/statusCode(_:)`` for another status.
    public func filter<R: RangeExpression>(
        statusCodes: R
    ) throws(TargetError) -> TargetResponse where R.Bound == Int {
        guard statusCodes.contains(statusCode) else { throw .statusCode(self) }
        return self
    }

    /// The response, if it has a certain status.
    ///
    /// - Parameter statusCode: The status.
    /// - Returns: The response.
    /// - Throws: ``TargetError/statusCode(_:)`` for another status.
    public func filter(statusCode: Int) throws(TargetError) -> TargetResponse {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// The response, if its status is 200 to 299.
    ///
    /// - Returns: The response.
    /// - Throws: ``TargetError/statusCode(_:)`` for another status.
    public func filterSuccessfulStatusCodes() throws(TargetError) -> TargetResponse {
        try filter(statusCodes: 200...299)
    }

    /// The response, if its status is 200 to 399.
    ///
    /// - Returns: The response.
    /// - Throws: ``TargetError/statusCode(_:)`` for another status.
    public func filterSuccessfulStatusAndRedirectCodes() throws(TargetError) -> TargetResponse {
        try filter(statusCodes: 200...399)
    }
}
