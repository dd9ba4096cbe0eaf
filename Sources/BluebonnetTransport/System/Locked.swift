public import Glibc

// Sendable: `buffer`'s state is read and written only between lock and unlock of its own mutex.
/// A value that can be accessed only while a mutex is held.
///
/// The library guards its own state with it. Use it for the state that a subclass of a manager
/// adds. The mutex is a `pthread_mutex_t`, which the thread sanitizer understands. Hold it for a
/// few lines at a time: never across a callback, input or output, or another `Locked`.
@frozen
public struct Locked<State>: @unchecked Sendable {
    @usableFromInline let buffer: ManagedBuffer<State, pthread_mutex_t>

    /// Creates an unlocked mutex around an initial state, which is created in its final location.
    ///
    /// - Parameter state: The initial state. The expression is evaluated once.
    /// - Throws: The error that the expression throws.
    @inlinable
    public init(_ state: @autoclosure () throws -> State) rethrows {
        buffer = try LockedBuffer.create(minimumCapacity: 1) { buffer in
            buffer.withUnsafeMutablePointerToElements { mutex in
                mutex.initialize(to: pthread_mutex_t())
                pthread_mutex_init(mutex, nil)
            }
            return try state()
        }
    }

    /// Calls a closure with the state while the mutex is held, and returns its result.
    ///
    /// It must not call `withLock` of the same value, which would wait forever.
    ///
    /// - Parameter body: Receives the state, which it can change. It must be short, and must not
    ///   block.
    /// - Returns: The result of the closure.
    /// - Throws: The error that the closure throws.
    @inlinable
    @inline(__always)
    public func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (state, mutex) = buffer.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }
}

extension Locked {
    /// Calls a closure like ``withLock(_:)``, or returns nil if the mutex is held.
    ///
    /// In a forked process, a thread that no longer exists can hold it.
    package func withLockIfFree<Result>(_ body: (inout State) -> Result) -> Result? {
        let (state, mutex) = buffer.withUnsafeMutablePointers { ($0, $1) }
        guard pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(mutex) }
        return body(&state.pointee)
    }
}

extension Locked: CustomReflectable {
    /// A mirror without children, because `dump` would read the state without the mutex.
    ///
    /// The state can also contain passwords.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

@usableFromInline
final class LockedBuffer<State>: ManagedBuffer<State, pthread_mutex_t> {
    @inlinable
    deinit {
        _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
    }
}
