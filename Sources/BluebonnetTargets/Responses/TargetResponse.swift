public import BluebonnetChain

/// The response to a target, with any status code.
public struct TargetResponse: Sendable {
    /// The status code.
    public let statusCode: Int
    /// The body; empty for a download.
    public let data: Data
    /// The request as it was last sent.
    public let request: URLRequest?
    /// The status code and header fields; nil for a response that was created without them.
    public let head: ResponseHead?
    /// The metrics of the task; nil if nothing was sent.
    public let metrics: TaskMetrics?
    /// The location of a downloaded file; nil for other responses.
    public let fileURL: URL?
    /// The head that the response was created with.
    private let givenResponse: HTTPURLResponse?
    /// The data that the task has sent, for redaction; nil if it was not recorded.
    private let sent: TaskRedactor?

    /// Creates a response, for example in a test.
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
        (metrics, fileURL, sent) = (nil, nil, nil)
    }

    /// Creates the response of a task; returns nil if the task has none.
    init?(_ task: TaskOutcome, sent: TaskRedactor? = nil) {
        guard let head = task.head else { return nil }
        statusCode = head.statusCode
        data = task.data ?? Data()
        request = task.request
        self.head = head
        metrics = task.metrics
        fileURL = task.fileURL
        givenResponse = nil
        self.sent = sent
    }

    /// The redactor for the secrets of the task and of the request.
    var redactor: TaskRedactor {
        var redactor = sent ?? TaskRedactor(of: nil)
        redactor.request = request
        return redactor
    }

    /// The head as an `HTTPURLResponse`.
    public var response: HTTPURLResponse? { givenResponse ?? head?.httpURLResponse }
}

extension TargetResponse: Equatable {
    /// Returns whether status code, body, URL and header fields are equal.
    public static func == (left: TargetResponse, right: TargetResponse) -> Bool {
        left.statusCode == right.statusCode && left.data == right.data
            && left.head?.url == right.head?.url && left.head?.headers == right.head?.headers
    }
}

extension TargetResponse: CustomStringConvertible, CustomReflectable {
    /// The status code and the length of the body, such as `Status Code: 200, Data Length: 5`.
    public var description: String { "Status Code: \(statusCode), Data Length: \(data.count)" }

    /// The response's contents without secrets.
    public var customMirror: Mirror {
        let redactor = redactor
        return Mirror(
            self,
            children: [
                "request": redactor.summary(of: request),
                "head": head.map(redactor.redacted) as Any,
                "dataCount": data.count, "fileURL": fileURL as Any, "metrics": metrics as Any,
            ]
        )
    }
}

extension TargetResponse {
    /// Returns the response if its status code is in a range.
    ///
    /// - Parameter statusCodes: The range, such as `200...299` or `400...`.
    /// - Returns: The response.
    /// - Throws: ``TargetError/statusCode(_:)`` for any other status code.
    public func filter<R: RangeExpression>(
        statusCodes: R
    ) throws(TargetError) -> TargetResponse where R.Bound == Int {
        guard statusCodes.contains(statusCode) else { throw .statusCode(self) }
        return self
    }

    /// Returns the response if it has a given status code.
    ///
    /// - Parameter statusCode: The status code.
    /// - Returns: The response.
    /// - Throws: ``TargetError/statusCode(_:)`` for any other status code.
    public func filter(statusCode: Int) throws(TargetError) -> TargetResponse {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// Returns the response if its status code is 200 to 299.
    ///
    /// - Returns: The response.
    /// - Throws: ``TargetError/statusCode(_:)`` for any other status code.
    public func filterSuccessfulStatusCodes() throws(TargetError) -> TargetResponse {
        try filter(statusCodes: 200...299)
    }

    /// Returns the response if its status code is 200 to 399.
    ///
    /// - Returns: The response.
    /// - Throws: ``TargetError/statusCode(_:)`` for any other status code.
    public func filterSuccessfulStatusAndRedirectCodes() throws(TargetError) -> TargetResponse {
        try filter(statusCodes: 200...399)
    }
}
