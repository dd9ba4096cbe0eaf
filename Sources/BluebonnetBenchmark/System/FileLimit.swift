import BluebonnetTestSupport

/// The number of open files that the benchmark needs, because ten thousand tasks need as many
/// sockets.
enum FileLimit {
    /// The requirement of the largest case, with a margin for other files of the process.
    static let openFiles = 12_000

    /// Raises the soft limit, which child processes inherit, as far as needed and allowed.
    ///
    /// Returns a message if the limit is still too low, or nil.
    static func raise(to needed: Int = openFiles) -> String? {
        guard !OpenFileLimit.raise(to: needed) else { return nil }
        return
            "a process can open only \(OpenFileLimit.hard) files but needs \(needed); raise the hard"
            + " limit (ulimit -Hn)"
    }
}
