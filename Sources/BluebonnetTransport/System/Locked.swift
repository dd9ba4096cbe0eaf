public import Glibc

// Sendable: `buffer`'s state is read and written only between lock and unlock of its own mutex.
/// A value that is only reached while a mutex is held.
///
/// It guards the library's own state, and serves for the state that a subclass of a manager adds.
/// The mutex is a `pthread_mutex_t`, which the thread sanitizer understands. Hold it for a few
/// lines at a time: never across a callback, input or output, or another `Locked`.
@frozen
public struct Locked<State>: @unchecked Sendable {
    @usableFromInline let buffer: ManagedBuffer<State, pthread_mutex_t>

    /// Makes an unlocked mutex around a first state, which is made where it stays.
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

    /// Runs `body` with the state while the mutex is held.
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

extension Locked: CustomReflectable {
    /// Shows nothing: `dump` would read the state without the mutex, passwords included.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

@usableFromInline
final class LockedBuffer<State>: ManagedBuffer<State, pthread_mutex_t> {
    @inlinable
    deinit {
        _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
    }
}
