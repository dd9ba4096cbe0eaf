import BluebonnetTransport
import Dispatch
public import Foundation
public import FoundationNetworking

extension Response {
    /// Judges a head and serializes a body as a task does, without one.
    ///
    /// It is for tests of serializers, and for responses that came another way.
    ///
    /// - Parameters:
    ///   - data: The whole body.
    ///   - head: Status and headers.
    ///   - request: The request, for the response and its error.
    ///   - serializer: What judges the head and serializes the body.
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
        self.init(outcome, serializedBy: serializer) { (Redactor(request: request), nil) }
    }

    /// What the context of an error has of its task: what hides what was sent, and whether that can be sent
    /// again.
    typealias TaskContext = () -> (sent: Redactor, isRepeatable: Bool?)

    /// Makes the response to what came of a task, whose context is asked for only for an error.
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
    /// The value or the error, and the value of a body that was not accepted.
    fileprivate func result(
        of outcome: TaskOutcome, _ task: Response<Value>.TaskContext
    ) -> (Result<Value, BluebonnetError>, Value?) {
        switch outcome.error {
        case nil: return (value(of: outcome, task), nil)
        case let error? where self is any FailureHearing:
            return hear(of: error, outcome)
        // Bytes and texts are what they are, whatever type they should have had.
        case let error? where error.isAboutContentType && readsAnyType:
            return (.failure(error), try? value(of: outcome, task).get())
        // Any other body of the wrong type is not looked at; one of a wrong status often explains it.
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

    /// What a serializer makes of a request that has failed, which stays the failure of the response.
    private func hear(
        of error: BluebonnetError, _ outcome: TaskOutcome
    ) -> (Result<Value, BluebonnetError>, Value?) {
        do {
            let value = try (self as? any FailureHearing)?.value(of: outcome, error)
            return (.failure(error), value as? Value)
        } catch let cause {
            var error = error
            // As a rule it throws what it was given.
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
            (context.sent, context.isRepeatable) = task()
            // What the serializer threw may repeat what was sent, too.
            if var below = error as? BluebonnetError {
                (below.context.sent, below.context.isRepeatable) =
                    (context.sent, context.isRepeatable)
                context.underlying = below
            }
            return .failure(.unreadableBody("\(error)", context))
        }
    }
}

/// A serializer that hears of requests that have failed, too.
protocol FailureHearing {
    associatedtype Value

    /// What it makes of what came of the request, which failed with `error`.
    func value(of outcome: TaskOutcome, _ error: BluebonnetError) throws -> Value
}

extension BluebonnetError {
    /// The judgement of a head, now that the length of the body is known.
    ///
    /// A type is nothing to judge when no body came.
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

    /// Whether the content type is refused, alone or together with the status.
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
