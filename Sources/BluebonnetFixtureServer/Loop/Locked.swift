import Glibc

/// A value guarded by a POSIX mutex, with a condition variable to wait for changes.
///
/// It uses POSIX primitives because the thread sanitizer tracks them. The thread sanitizer does not
/// track `Synchronization.Mutex`, which uses futexes.
// @unchecked Sendable: `state` is read and written only while `mutex` is held.
final class Locked<State: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    func withLockNotifying<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let result = body(&state)
        pthread_cond_broadcast(changed)
        return result
    }

    func wait(until condition: (State) -> Bool) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !condition(state) {
            pthread_cond_wait(changed, mutex)
        }
    }

    func wait(deadline: MonotonicTime, until condition: (State) -> Bool) -> Bool {
        var limit = deadline.timespec
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !condition(state) {
            if pthread_cond_timedwait(changed, mutex, &limit) == ETIMEDOUT {
                return condition(state)
            }
        }
        return true
    }
}
