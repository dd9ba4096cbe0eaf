import CBluebonnet
import Glibc

/// The error thrown when the system cannot start a thread.
package struct ThreadNotStarted: Error {
    /// An `errno` value.
    package let code: Int32
}

/// The threads of the library, which have names for debuggers.
///
/// The system keeps 15 bytes of a name. A thread blocks all signals except those of its own faults
/// and of profilers.
package enum NamedThread {
    /// Starts a detached thread.
    package static func startDetached(
        _ name: String, running body: @escaping @Sendable () -> Void
    ) throws(ThreadNotStarted) {
        pthread_detach(try start(name, running: body))
    }

    /// Starts a thread, which the caller must join or detach.
    static func start(
        _ name: String, running body: @escaping @Sendable () -> Void
    ) throws(ThreadNotStarted) -> pthread_t {
        var thread = pthread_t()
        let retained = Unmanaged.passRetained(Body(name: name, run: body))
        let code = bb_thread_start(
            &thread,
            { context in
                if let context {
                    let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                    bb_thread_set_name(body.name)
                    body.run()
                }
                return nil
            },
            retained.toOpaque()
        )
        guard code == 0 else {
            retained.release()
            throw ThreadNotStarted(code: code)
        }
        return thread
    }

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }
}
