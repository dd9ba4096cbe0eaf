import Glibc

// Sendable: `isRinging` is read and written only while the mutex is held. The mutex and the
// condition keep their addresses until deinit, when no thread uses the alarm any more.
/// An alarm that wakes a sleeping thread at a given time, or earlier if another thread rings it.
final class Alarm: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isRinging = false

    init() {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // The default clock follows the date. If that were set back, the thread would oversleep.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Ends the current call of ``sleep(until:)``, or the next one if there is none.
    func ring() {
        pthread_mutex_lock(mutex)
        isRinging = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Blocks the thread until the alarm rings or a time on the monotonic clock is reached.
    ///
    /// Can return early.
    func sleep(until time: Duration) {
        let (seconds, attoseconds) = time.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        pthread_mutex_lock(mutex)
        if !isRinging { pthread_cond_timedwait(condition, mutex, &time) }
        isRinging = false
        pthread_mutex_unlock(mutex)
    }
}
