import BluebonnetTransport
import Dispatch
public import Foundation
public import FoundationNetworking

extension Response {
    /// Judges a head and serializes a body as a task would, without a task.
    ///
    /// Use it to test serializers, and for responses that do not come from a task.
    ///
    /// - Parameters:
    ///   - data: The whole body.
    ///   - head: The status and header fields.
    ///   - request: The request, for the response and its error.
    ///   - serializer: The serializer that judges the head and reads the body.
    public init<Serializer: ResponseSerializer>(
        of data: Data,
        head: ResponseHead,
        request: URLRequest? = nil,
        serializer: Serializer
    ) where Serializer.Value == Value {
        var outcome = TaskOutcome(request: request, head: head, data: data)
        do throws(BluebonnetError) {
            try serializer.validate(head)
        } catch {
            outcome.error = error.relevant(toBodyOf: data.count)
            outcome.error?.context.request = request
            outcome.error?.context.data = data
        }
        self.init(outcome, serializedBy: serializer) { (TaskRedactor(request: request), nil, nil) }
    }

    /// Provides the parts of an error's context that come from the task: the redactor for the data
    /// that was sent, and whether the requests can be repeated.
    typealias TaskContext = () -> (sent: TaskRedactor, isRepeatable: Bool?, attempt: Int?)

    /// Creates the response for a task's outcome; `context` is called only if there is an error.
    // Inlined, because each generic function that is called looks up its types anew.
    @inline(__always)
    init<Serializer: ResponseSerializer>(
        _ outcome: TaskOutcome, serializedBy serializer: Serializer, context: TaskContext
    ) where Serializer.Value == Value {
        let start = DispatchTime.now().uptimeNanoseconds
        let (result, parsed) = serializer.result(of: outcome, context)
        let time = DispatchTime.now().uptimeNanoseconds - start
        self.init(
            result,
            ResponseParts(
                outcome, unacceptedBody: parsed.map(UnacceptedBody.init), serializationTime: time))
    }
}

extension ResponseSerializer {
    /// Returns the value or the error, and the parsed body of a response that was not accepted.
    @inline(__always)
    fileprivate func result(
        of outcome: TaskOutcome, _ task: Response<Value>.TaskContext
    ) -> (Result<Value, BluebonnetError>, Value?) {
        switch outcome.error {
        case nil: return (value(of: outcome, task), nil)
        case let error? where self is any FailureHearing:
            return hear(of: error, outcome)
        // Raw data and text can be read whatever the content type is.
        case let error? where error.isAboutContentType && readsAnyType:
            return (.failure(error), try? value(of: outcome, task).get())
        // A body of the wrong type is not parsed. One with the wrong status often explains the
        // failure.
        case .unacceptableStatus(let code, var context)? where context.underlying == nil:
            let parsed = value(of: outcome, task)
            if case .failure(let parseError) = parsed, outcome.data?.isEmpty == false,
                !parseError.isFileMissing
            {
                context.underlying = parseError
            }
            return (.failure(.unacceptableStatus(code, context)), try? parsed.get())
        case .validation(let text, let context)?:
            return (
                .failure(.validation(text, context)), try? value(of: outcome, task).get()
            )
        case let error?: return (.failure(error), nil)
        }
    }

    /// Calls a serializer that also observes failures; the response keeps the task's error.
    private func hear(
        of error: BluebonnetError, _ outcome: TaskOutcome
    ) -> (Result<Value, BluebonnetError>, Value?) {
        do {
            let value = try (self as? any FailureHearing)?.value(of: outcome, error)
            return (.failure(error), value as? Value)
        } catch let cause {
            var error = error
            // Usually the serializer rethrows the error that it received.
            if !(cause is BluebonnetError) { error.context.underlying = cause }
            return (.failure(error), nil)
        }
    }

    private func value(
        of outcome: TaskOutcome, _ task: Response<Value>.TaskContext
    ) -> Result<Value, BluebonnetError> {
        do {
            guard let file = outcome.fileURL else {
                return .success(try serialize(outcome.data ?? Data(), head: outcome.head))
            }
            return .success(try serialize(file: file, head: outcome.head))
        } catch {
            var context = BluebonnetError.Context(
                request: outcome.request,
                head: outcome.head,
                data: outcome.data,
                underlying: error
            )
            (context.sent, context.isRepeatable, context.attempt) = task()
            // The serializer's error can repeat data that was sent, so it needs the same redactor.
            if var below = error as? BluebonnetError {
                (below.context.sent, below.context.isRepeatable, below.context.attempt) =
                    (context.sent, context.isRepeatable, context.attempt)
                context.underlying = below
            }
            return .failure(.unreadableBody("\(error)", context))
        }
    }
}

/// A serializer that is also called for failed requests.
package protocol FailureHearing {
    associatedtype Value

    /// Returns the value for the outcome of a request that failed with `error`.
    func value(of outcome: TaskOutcome, _ error: BluebonnetError) throws -> Value
}

extension BluebonnetError {
    /// Returns the error of a judged head that still applies, now that the body's length is known.
    ///
    /// An empty body has no content type to judge.
    func relevant(toBodyOf count: Int) -> BluebonnetError? {
        switch self {
        case _ where count > 0: return self
        case .unacceptableContentType: return nil
        case .unacceptableStatus(let code, var context):
            context.underlying = nil
            return .unacceptableStatus(code, context)
        default: return self
        }
    }

    /// Whether the content type was refused, alone or together with the status code.
    fileprivate var isAboutContentType: Bool {
        switch self {
        case .unacceptableContentType: true
        case .unacceptableStatus(_, let context):
            (context.underlying as? BluebonnetError)?.isAboutContentType ?? false
        default: false
        }
    }

    fileprivate var isFileMissing: Bool {
        context.underlying as? ResponseSerializationError == .fileIsMissing
    }
}
