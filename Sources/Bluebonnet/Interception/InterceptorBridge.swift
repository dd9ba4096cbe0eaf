import Synchronization

/// Calls the implemented form of an interceptor's method, either `async` or with a completion.
///
/// The default `async` form stores a question in a task-local value and calls the completion form.
/// If that is the default too, it finds the question and marks it as unanswered. Two defaults that
/// simply called each other would never return.
package enum InterceptorBridge {
    package enum Method: Sendable, Hashable {
        case adaptFor, adaptUsing, retry, refresh, redirect, cache
    }

    private struct Form: Sendable, Equatable {
        let type: ObjectIdentifier
        /// The identity of the interceptor, or nil for a value type.
        let object: ObjectIdentifier?
        let method: Method

        init(of interceptor: Any, _ method: Method) {
            let type = Swift.type(of: interceptor)
            self.type = ObjectIdentifier(type)
            object = type is AnyClass ? ObjectIdentifier(interceptor as AnyObject) : nil
            self.method = method
        }
    }

    private final class Question: Sendable {
        let form: Form
        let isUnanswered = Atomic(false)

        init(_ form: Form) { self.form = form }
    }

    @TaskLocal private static var question: Question?

    /// Calls the completion form.
    ///
    /// - Parameters:
    ///   - interceptor: The interceptor to ask.
    ///   - method: The method to call.
    ///   - call: Calls the completion form.
    /// - Returns: The first answer, or nil if the form is not implemented.
    /// - Throws: `CancellationError` if the Swift task is canceled before an answer arrives.
    package static func ask<Answer: Sendable>(
        _ interceptor: Any, _ method: Method,
        _ call: (_ complete: @escaping @Sendable (Answer) -> Void) -> Void
    ) async throws -> Answer? {
        let question = Question(Form(of: interceptor, method))
        let answer = FirstAnswer<Answer>()
        $question.withValue(question) { call { answer.give(.success($0)) } }
        return question.isUnanswered.load(ordering: .relaxed) ? nil : try await answer.value
    }

    /// Returns whether the default `async` form calls this default completion form.
    ///
    /// If so, it marks the question as unanswered.
    package static func isAsked(_ interceptor: Any, _ method: Method) -> Bool {
        guard let question, question.form == Form(of: interceptor, method) else { return false }
        question.isUnanswered.store(true, ordering: .relaxed)
        return true
    }

    /// Completes a completion form with the result of the `async` form.
    static func complete<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void, for session: Session,
        _ answer: @escaping @Sendable () async throws -> Value
    ) {
        Task(executorPreference: session.hookExecutor) {
            do {
                completion(.success(try await answer()))
            } catch {
                completion(.failure(error))
            }
        }
    }
}
