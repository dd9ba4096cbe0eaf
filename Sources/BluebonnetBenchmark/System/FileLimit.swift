import BluebonnetTestSupport

/// How many files a process may have open: the sockets of ten thousand tasks are that many.
enum FileLimit {
    /// What the largest case takes, with room for what else a process opens.
    static let openFiles = 12_000

    /// Raises the soft limit, which child processes inherit, as far as is needed and allowed.
    ///
    /// Returns what is wrong with it then, if anything.
    static func raise(to needed: Int = openFiles) -> String? {
        guard !OpenFileLimit.raise(to: needed) else { return nil }
        return
            "a process may open \(OpenFileLimit.hard) files, and \(needed) are needed: raise the"
            + " hard limit (ulimit -Hn)"
    }
}
