public import Foundation
public import FoundationNetworking

/// Everything that came of a task.
public struct Response<Value: Sendable>: Sendable {
    /// The serialized body, or why there is none.
    public let result: Result<Value, BluebonnetError>
    let parts: ResponseParts

    /// Makes a response.
    public init(
        request: URLRequest?,
        head: ResponseHead?,
        data: Data?,
        fileURL: URL? = nil,
        metrics: TaskMetrics? = nil,
        result: Result<Value, BluebonnetError>,
        parsedBody: Value? = nil
    ) {
        let outcome = TaskOutcome(
            request: request, head: head, data: data, metrics: metrics, error: nil, fileURL: fileURL
        )
        self.init(
            result, ResponseParts(outcome, unacceptedBody: parsedBody.map(UnacceptedBody.init))
        )
    }

    init(_ result: Result<Value, BluebonnetError>, _ parts: ResponseParts) {
        self.result = result
        self.parts = parts
    }

    /// What came of the task, with the response's error.
    var outcome: TaskOutcome {
        var outcome = parts.outcome
        outcome.error = error
        return outcome
    }

    /// The request as it was last sent, after redirects; nil when it could not be built.
    public var request: URLRequest? { parts.outcome.request }

    /// Status and headers; nil when no response came.
    public var head: ResponseHead? { parts.outcome.head }

    /// The body as it was received, also of a response that failed validation; nil when no response
    /// came, for a download, and where there was no memory for it.
    public var data: Data? { parts.outcome.data }

    /// Where a download was put; nil for other tasks.
    public var fileURL: URL? { parts.outcome.fileURL }

    /// What was measured; nil when nothing was sent.
    public var metrics: TaskMetrics? { parts.outcome.metrics }

    /// The trailer fields that came behind the body, in order; empty without any, and of a response that
    /// was not received whole (RFC 9110 section 6.5).
    public var trailers: HTTPHeaders { HTTPHeaders(parts.outcome.trailers ?? []) }

    /// The heads of the redirects that were followed on the way here, in order; empty without any.
    ///
    /// Each has the URL that answered, and where it led to in its `Location` field. Those of an attempt
    /// that failed and was made again are not among them.
    public var redirects: [ResponseHead] { parts.outcome.redirects }

    /// The version of HTTP that the response came over, such as `HTTP/1.1` or `HTTP/2`; nil when no
    /// response came, or the transport does not know.
    public var httpVersion: String? {
        guard let version = metrics?.last?.protocolVersion, !version.isEmpty else { return nil }
        return version
    }

    /// Whether a connection that was open already served the last exchange; nil when nothing was sent.
    public var isConnectionReused: Bool? { metrics?.last?.isConnectionReused }

    /// The serialized body, also of a response that failed validation, where it could be parsed.
    public var parsedBody: Value? {
        guard case .success(let value) = result else {
            return (parts.unacceptedBody as? UnacceptedBody<Value>)?.value
        }
        return value
    }

    /// How long making the value of the body took, in seconds; 0 where nothing was serialized.
    public var serializationDuration: TimeInterval {
        Double(parts.serializationTime) / 1_000_000_000
    }

    /// What it takes to go on with a download that broke or was cancelled for that; nil where that is impossible.
    public var resumeData: Data? { error?.resumeData }

    /// Foundation's form of the head, made anew by each call.
    public var response: HTTPURLResponse? { head?.httpURLResponse }

    /// The header fields; empty when no response came.
    public var headers: HTTPHeaders { head?.headers ?? [:] }

    /// The serialized body of a success.
    public var value: Value? { try? result.get() }

    /// Why the task failed; nil for a success.
    public var error: BluebonnetError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }
}

extension Response: CustomStringConvertible, CustomReflectable {
    /// Request, status and result in one line; of the body only the size.
    public var description: String {
        let status = head.map { "status \($0.statusCode)" } ?? "no response"
        let outcome = error.map { "failure: \($0)" } ?? "\(data?.count ?? 0) bytes"
        return "\(redactor.summary(of: request)): \(status), \(outcome)"
    }

    /// What there is, without header fields that may be secret; the value as it is.
    public var customMirror: Mirror {
        let redactor = redactor
        return Mirror(
            self,
            children: [
                "request": redactor.summary(of: request),
                "head": head.map(redactor.redacted) as Any,
                "dataCount": data?.count as Any, "fileURL": fileURL as Any,
                "metrics": metrics as Any, "result": result,
            ]
        )
    }

    /// Of a success only the request's own secrets are known.
    private var redactor: Redactor { error?.context.redactor ?? Redactor(request: request) }
}

extension Response {
    /// AFNetworking's response object: the parsed body, also of a response that failed validation; nil for
    /// nothing.
    public var object: (any Sendable)? {
        guard let object = parsedBody.flatMap(flattened) else { return nil }
        let isNull = type(of: object) is NSNull.Type
        return isNull && object as? NSNull === ManagerResponseSerializer.nothing ? nil : object
    }
}
