import BluebonnetTransport
import Foundation

/// Calls the form of an interceptor's method that is implemented: the `async` one, or the one with a completion.
///
/// The default of an `async` form marks the interceptor in the Swift task and calls the completion form. Where that is
/// the default, too, it sees the mark and notes that neither is implemented, which is remembered of the type. Defaults
/// that simply called each other would do so for ever.
enum InterceptorBridge {
    enum Method: Sendable, Hashable {
        case adaptFor, adaptUsing, retry, refresh, redirect, attemptDidEnd
    }

    private struct Default: Hashable {
        let type: ObjectIdentifier
        let method: Method
    }

    /// What types do not implement themselves: as many at most as the process has types.
    private static let defaults = Locked<Set<Default>>([])

    /// Whether it is known that the type of an interceptor does not implement a method itself.
    static func isDefault(_ method: Method, of type: Any.Type) -> Bool {
        let found = Default(type: ObjectIdentifier(type), method: method)
        return defaults.withLock { $0.contains(found) }
    }

    /// Notes that the type of an interceptor does not implement a method itself.
    static func noteDefault(_ method: Method, of type: Any.Type) {
        let found = Default(type: ObjectIdentifier(type), method: method)
        defaults.withLock { _ = $0.insert(found) }
    }

    private final class Question: Sendable {
        let type: ObjectIdentifier
        /// Nil of a value.
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

    /// Asks by the completion form.
    ///
    /// - Parameters:
    ///   - interceptor: What is asked.
    ///   - method: Which of its methods.
    ///   - call: Calls the completion form.
    /// - Returns: The first answer; nil if the form is not implemented.
    /// - Throws: `CancellationError` if the Swift task is cancelled before an answer.
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

    /// Whether the completion form is called by the default of the `async` one, which hears that it is not implemented.
    static func isAsked(_ interceptor: Any, _ method: Method) -> Bool {
        guard let question, question.isLike(Question(interceptor, method)) else { return false }
        question.isUnanswered.withLock { $0 = true }
        return true
    }

    /// Answers a completion form by the `async` one.
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
