import BluebonnetTransport
import Foundation

/// Calls the implemented form of an interceptor's method, either `async` or with a completion.
///
/// The default `async` form stores a question in a task-local value and calls the completion form.
/// If that is the default too, it finds the question and marks it as unanswered. The type is then
/// recorded as implementing neither form. Two defaults that simply called each other would never
/// return.
package enum InterceptorBridge {
    package enum Method: Sendable, Hashable {
        case adaptFor, adaptUsing, retry, refresh, redirect, attemptDidEnd, receivedData
    }

    private struct Default: Hashable {
        let type: ObjectIdentifier
        let method: Method
    }

    /// The methods that types do not implement, bounded by the number of types in the process.
    private static let defaults = Locked<Set<Default>>([])

    /// Returns whether a type is known not to implement a method.
    package static func isDefault(_ method: Method, of type: Any.Type) -> Bool {
        let found = Default(type: ObjectIdentifier(type), method: method)
        return defaults.withLock { $0.contains(found) }
    }

    /// Records that a type does not implement a method.
    package static func noteDefault(_ method: Method, of type: Any.Type) {
        let found = Default(type: ObjectIdentifier(type), method: method)
        defaults.withLock { _ = $0.insert(found) }
    }

    private final class Question: Sendable {
        let type: ObjectIdentifier
        /// The identity of the interceptor, or nil for a value type.
        let object: ObjectIdentifier?
        let method: Method
        let isUnanswered = Locked(false)

        init(_ interceptor: Any, _ method: Method) {
            let type = Swift.type(of: interceptor)
            self.type = ObjectIdentifier(type)
            object = type is AnyClass ? ObjectIdentifier(interceptor as AnyObject) : nil
            self.method = method
        }

        func isLike(_ other: Question) -> Bool {
            type == other.type && object == other.object && method == other.method
        }
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
    static func ask<Answer: Sendable>(
        _ interceptor: Any, _ method: Method,
        _ call: (_ complete: @escaping @Sendable (Answer) -> Void) -> Void
    ) async throws -> Answer? {
        let type = type(of: interceptor)
        if isDefault(method, of: type) { return nil }
        let question = Question(interceptor, method)
        let answer = FirstAnswer<Answer>()
        $question.withValue(question) { call { answer.give(.success($0)) } }
        if question.isUnanswered.withLock({ $0 }) {
            noteDefault(method, of: type)
            return nil
        }
        return try await answer.value
    }

    /// Returns whether the default `async` form calls this default completion form.
    ///
    /// If so, it marks the question as unanswered.
    static func isAsked(_ interceptor: Any, _ method: Method) -> Bool {
        guard let question, question.isLike(Question(interceptor, method)) else { return false }
        question.isUnanswered.withLock { $0 = true }
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
