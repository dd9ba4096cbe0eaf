import Glibc

/// How many files a process may have open: the sockets of ten thousand tasks are that many.
enum FileLimit {
    /// What the largest case takes, with room for what else a process opens.
    static let openFiles = 12_000

    /// Raises the soft limit, which child processes inherit, as far as is needed and allowed.
    ///
    /// Returns what is wrong with it then, if anything.
    static func raise(to needed: Int = openFiles) -> String? {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < UInt(needed) else { return nil }
        limit.rlim_cur = min(UInt(needed), limit.rlim_max)
        let status = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard status != 0 || limit.rlim_cur < UInt(needed) else { return nil }
        return
            "a process may open \(limit.rlim_max) files, and \(needed) are needed: raise the hard"
            + " limit (ulimit -Hn)"
    }
}
