public import Foundation
public import FoundationNetworking

/// The result of a task, with its request, head, body and metrics.
public struct Response<Value: Sendable>: Sendable {
    /// The serialized body, or the error of the task.
    public let result: Result<Value, BluebonnetError>
    package let parts: ResponseParts

    /// Creates a response.
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

    // Inlined, because each generic function that is called looks up its types anew.
    @inline(__always)
    package init(_ result: Result<Value, BluebonnetError>, _ parts: ResponseParts) {
        self.result = result
        self.parts = parts
    }

    /// The task's outcome, with this response's error.
    package var outcome: TaskOutcome {
        var outcome = parts.outcome
        outcome.error = error
        return outcome
    }

    /// The request that was sent last, after redirects; nil if it could not be built.
    public var request: URLRequest? { parts.outcome.request }

    /// The status and header fields; nil if no response was received.
    public var head: ResponseHead? { parts.outcome.head }

    /// The received body, also of a response that failed validation.
    ///
    /// Nil if no response was received, if the task is a download, or if there was not enough
    /// memory for the body.
    public var data: Data? { parts.outcome.data }

    /// The location of a downloaded file; nil for other tasks.
    public var fileURL: URL? { parts.outcome.fileURL }

    /// The task's metrics; nil if nothing was sent.
    public var metrics: TaskMetrics? { parts.outcome.metrics }

    /// The trailer fields received after the body, in order (RFC 9110 section 6.5).
    ///
    /// Empty if there were none, or if the response was not received completely.
    public var trailers: HTTPHeaders { HTTPHeaders(parts.outcome.trailers ?? []) }

    /// The heads of the redirects that were followed, in order; empty if there were none.
    ///
    /// Each has the URL that sent the redirect, and the target in its `Location` field. Redirects
    /// of an earlier, failed attempt are not included.
    public var redirects: [ResponseHead] { parts.outcome.redirects }

    /// The HTTP version of the response, such as `HTTP/1.1` or `HTTP/2`.
    ///
    /// Nil if no response was received, or if the transport does not report the version.
    public var httpVersion: String? {
        guard let version = metrics?.last?.protocolVersion, !version.isEmpty else { return nil }
        return version
    }

    /// Whether the last exchange used a connection that was already open; nil if nothing was sent.
    public var isConnectionReused: Bool? { metrics?.last?.isConnectionReused }

    /// The serialized body, also of a response that failed validation if its body could be parsed.
    public var parsedBody: Value? {
        guard case .success(let value) = result else {
            return (parts.unacceptedBody as? UnacceptedBody<Value>)?.value
        }
        return value
    }

    /// The time spent on serializing the body, in seconds; 0 if nothing was serialized.
    public var serializationDuration: TimeInterval {
        Double(parts.serializationTime) / 1_000_000_000
    }

    /// The data for resuming a download that failed or was canceled; nil if it cannot be resumed.
    public var resumeData: Data? { error?.resumeData }

    /// The head as Foundation's type, created on each access.
    public var response: HTTPURLResponse? { head?.httpURLResponse }

    /// The header fields; empty if no response was received.
    public var headers: HTTPHeaders { head?.headers ?? [:] }

    /// The serialized body; nil if the task failed.
    public var value: Value? { try? result.get() }

    /// The error of the task; nil if it succeeded.
    public var error: BluebonnetError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }
}

extension Response: CustomStringConvertible, CustomReflectable {
    /// The request, status and result on one line, with only the size of the body.
    public var description: String {
        let status = head.map { "status \($0.statusCode)" } ?? "no response"
        let outcome = error.map { "failure: \($0)" } ?? "\(data?.count ?? 0) bytes"
        return "\(redactor.summary(of: request)): \(status), \(outcome)"
    }

    /// The response's contents without header fields that can be secret; the value is included as
    /// it is.
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

    /// Without an error, only the secrets of the request itself are known.
    private var redactor: TaskRedactor { error?.context.redactor ?? TaskRedactor(request: request) }
}

extension Response {
    /// AFNetworking's response object: the parsed body, also of a response that failed validation.
    ///
    /// Nil if there is no value.
    public var object: (any Sendable)? {
        guard let object = parsedBody.flatMap(flattened) else { return nil }
        let isNull = type(of: object) is NSNull.Type
        return isNull && object as? NSNull === ManagerResponseSerializer.nothing ? nil : object
    }
}
