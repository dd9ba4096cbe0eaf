import Glibc

/// Children of this process that execute no program.
enum Fork {
    /// `fork`, which Swift does not import: its child may do hardly anything.
    static func call() -> pid_t {
        typealias Function = @convention(c) () -> pid_t
        guard let symbol = dlsym(nil, "fork") else { return -1 }
        // unsafe: the type is the one that POSIX gives for this name.
        return unsafeBitCast(symbol, to: Function.self)()
    }

    /// Starts a child that runs a closure and exits with the status that it returns.
    ///
    /// A child that hangs is ended by SIGALRM after a number of seconds.
    static func start(limit: UInt32 = 10, _ body: () -> Int32) -> pid_t {
        let identifier = call()
        guard identifier == 0 else { return identifier }
        endSelf(after: limit)
        _exit(body())
    }

    /// Ends this process by SIGALRM after a number of seconds.
    static func endSelf(after seconds: UInt32) {
        var alarms = sigset_t()
        sigemptyset(&alarms)
        sigaddset(&alarms, SIGALRM)
        pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
        alarm(seconds)
    }

    /// Waits for a child, and returns its exit status; 128 plus the number of a signal that ended it.
    static func status(of child: pid_t) -> Int32 {
        var status: Int32 = -1
        guard child > 0, waitpid(child, &status, 0) == child else { return -1 }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
