import BluebonnetTransport
import Foundation

/// Makes a task's response of its outcome and delivers it to its receiver.
final class ResponseDelivery<Serializer: ResponseSerializer>: TaskDelivery {
    typealias Value = Serializer.Value

    enum Receiver: Sendable {
        /// A handler, on a queue or, without one, in the pool. Nil where nothing receives the response.
        case handler((@Sendable (Response<Value>) -> Void)?, on: DispatchQueue?)
        /// A Swift task, which goes on on a thread of its own.
        case awaiting(PendingResponse<Value>)
    }

    private let serializer: Serializer
    private let receiver: Receiver

    init(serializer: Serializer, receiver: Receiver) {
        self.serializer = serializer
        self.receiver = receiver
    }

    func serializesInNoTime(_ byteCount: Int) -> Bool {
        Serializer.self == HTTPResponseSerializer.self || isDownload
            || isJSON && byteCount <= largestJSONInNoTime
    }

    private var isJSON: Bool {
        if let untyped = serializer as? UntypedResponseSerializer {
            return type(of: untyped.base) == JSONResponseSerializer.self
        }
        return Serializer.self == JSONResponseSerializer.self
    }

    private var isDownload: Bool { Serializer.self == DownloadSerializer.self }

    func judge(_ head: ResponseHead) -> BluebonnetError? {
        do throws(BluebonnetError) {
            try serializer.validate(head)
            return nil
        } catch {
            return error
        }
    }

    @specialized(where Serializer == HTTPResponseSerializer)
    @specialized(where Serializer == UntypedResponseSerializer)
    func finish(_ outcome: consuming TaskOutcome, of delegate: TaskDelegate) {
        deliver(outcome, of: delegate)
    }

    // Not inlined, or its types would be made before it is known whether it is specialized.
    @inline(never)
    private func deliver(_ outcome: consuming TaskOutcome, of delegate: TaskDelegate) {
        let response = response(of: outcome, delegate)
        switch receiver {
        case .handler(let handler?, let queue):
            let work: @Sendable () -> Void = { [serializer] in
                handler(response)
                delegate.delivered { Self.content(of: response, by: serializer) }
            }
            if let queue {
                queue.async(execute: work)
            } else {
                HandlerPool.shared.async(work)
            }
        case .handler(nil, _):
            delegate.delivered { Self.content(of: response, by: serializer) }
        case .awaiting(let pending):
            // At once: as a job of the pool it could wait behind handlers that block.
            pending.fulfil(response)
            delegate.delivered { Self.content(of: response, by: serializer) }
        }
    }

    private static func content(
        of response: Response<Value>, by serializer: Serializer
    ) -> CompletionContent {
        CompletionContent(
            response.parts,
            object: response.parsedBody.flatMap(flattened),
            error: response.error,
            // The one that the caller knows.
            serializer: (serializer as? UntypedResponseSerializer)?.base ?? serializer
        )
    }

    private func response(
        of outcome: consuming TaskOutcome, _ delegate: TaskDelegate
    ) -> Response<Value> {
        let (result, parsed) = serialize(outcome, delegate)
        return Response(
            result, ResponseParts(outcome, unacceptedBody: parsed.map(UnacceptedBody.init))
        )
    }

    private func serialize(
        _ outcome: TaskOutcome, _ delegate: TaskDelegate
    ) -> (Result<Value, BluebonnetError>, Value?) {
        guard let error = outcome.error else { return parse(outcome, delegate) }
        // A body of the wrong type is not looked at; one of a wrong status often explains it.
        guard case .unacceptableStatus(let code, var context) = error, context.underlying == nil,
            !isDownload
        else { return (.failure(error), nil) }
        let (result, _) = parse(outcome, delegate)
        if case .failure(let parseError) = result, outcome.data?.isEmpty == false {
            context.underlying = parseError
        }
        return (.failure(.unacceptableStatus(code, context)), try? result.get())
    }

    private func parse(
        _ outcome: TaskOutcome, _ delegate: TaskDelegate
    ) -> (Result<Value, BluebonnetError>, Value?) {
        if let file = outcome.fileURL { return (place(file, outcome), nil) }
        do {
            let value = try serializer.serialize(outcome.data ?? Data(), head: outcome.head)
            return (.success(value), nil)
        } catch {
            var context = BluebonnetError.Context(
                request: outcome.request,
                head: outcome.head,
                data: outcome.data,
                underlying: error
            )
            context.sent = delegate.redactor
            return (.failure(.unreadableBody("\(error)", context)), nil)
        }
    }
}

extension ResponseDelivery {
    /// A file's bytes, which stay readable when the file is gone.
    private static func mapped(_ file: URL) throws -> Data {
        // Foundation leaks memory where there is nothing to map.
        let isEmpty = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize == 0
        return isEmpty ? Data() : try Data(contentsOf: file, options: .alwaysMapped)
    }

    /// The value of a data task that became a download: the file, where that can be the value.
    fileprivate func place(_ file: URL, _ outcome: TaskOutcome) -> Result<Value, BluebonnetError> {
        if let value = file as? Value { return .success(value) }
        if let value = (try? Self.mapped(file)) as? Value { return .success(value) }
        let context = BluebonnetError.Context(request: outcome.request, head: outcome.head)
        return .failure(
            .unreadableBody(
                "the task became a download, and its body is in the response's fileURL", context)
        )
    }
}

/// In bytes: to parse so little takes less than to wake a thread for it.
private let largestJSONInNoTime = 4096

/// A response that a Swift task waits for.
///
/// It is handed over under a lock: of a continuation that is resumed before it is awaited the runtime
/// tells the thread sanitizer nothing, which would report the response itself as a race.
final class PendingResponse<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(UnsafeContinuation<Void, Never>)
        case fulfilled(Response<Value>)
    }

    private let state = Locked(State.empty)

    /// Called once.
    func fulfil(_ response: Response<Value>) {
        let continuation: UnsafeContinuation<Void, Never>? = state.withLock { state in
            defer { state = .fulfilled(response) }
            if case .awaited(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume()
    }

    /// Read once.
    var response: Response<Value> {
        get async {
            while true {
                if let known = take() { return known }
                // Unsafe only in that it is not counted: each state above resumes once at most.
                await withUnsafeContinuation { continuation in
                    if !awaits(with: continuation) { continuation.resume() }
                }
            }
        }
    }

    private func take() -> Response<Value>? {
        state.withLock { state in
            guard case .fulfilled(let response) = state else { return nil }
            state = .empty
            return response
        }
    }

    /// False when there is nothing to wait for.
    private func awaits(with continuation: UnsafeContinuation<Void, Never>) -> Bool {
        state.withLock { state in
            if case .fulfilled = state { return false }
            state = .awaited(continuation)
            return true
        }
    }
}

/// A serializer whose type is not known, giving AFNetworking's response object.
struct UntypedResponseSerializer: ResponseSerializer {
    var base: any ResponseSerializer

    var acceptableStatusCodes: Set<Int>? {
        get { base.acceptableStatusCodes }
        set { base.acceptableStatusCodes = newValue }
    }

    var acceptableContentTypes: Set<String>? {
        get { base.acceptableContentTypes }
        set { base.acceptableContentTypes = newValue }
    }

    func validate(_ head: ResponseHead) throws(BluebonnetError) {
        try base.validate(head)
    }

    func serialize(_ data: Data, head: ResponseHead?) throws -> (any Sendable)? {
        func value(of serializer: some ResponseSerializer) throws -> (any Sendable)? {
            flattened(try serializer.serialize(data, head: head))
        }
        do {
            return try value(of: base)
        } catch let error as ResponseSerializationError where error == .emptyBody {
            // Nothing is an object too, whatever the serializer (AFNetworking, C18).
            return nil
        }
    }
}

/// Returns the value as an object, and nil for an optional without a value.
private func flattened<Value: Sendable>(_ value: Value) -> (any Sendable)? {
    if Value.self == Data.self { return value }
    if let object = Wrapper(value: value) as? Wrapper<(any Sendable)?> { return object.value }
    if let optional = value as? any NilTestable, optional.isNil { return nil }
    return value
}

/// Makes a cast to `(any Sendable)?` possible, which the language refuses for the type itself because
/// `Sendable` is a marker protocol.
private struct Wrapper<Value> {
    let value: Value
}
