import CBluebonnet

/// The state of a process after a `fork`, until it executes a program.
package enum ProcessFork {
    /// Whether the process was forked from one in which the library had started threads.
    ///
    /// The child has only the thread that called `fork`. The library's other threads are missing,
    /// and so are those of Dispatch and of Swift's tasks. A lock that one of them held is never
    /// unlocked. Reading this takes no lock.
    package static var hasLostThreads: Bool { bb_has_lost_threads() }
}
