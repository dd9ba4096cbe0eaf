import Glibc

/// The number of files that this process, and its children, can have open.
package enum OpenFileLimit {
    // The kernel's number, because its constant has different Swift types in different versions.
    private static let resource = __rlimit_resource_t(7)

    /// Raises the soft limit as far as needed and allowed.
    ///
    /// Returns whether the limit is now high enough.
    package static func raise(to count: Int) -> Bool {
        var limit = current
        guard limit.rlim_cur < UInt(count) else { return true }
        limit.rlim_cur = min(UInt(count), limit.rlim_max)
        return setrlimit(resource, &limit) == 0 && limit.rlim_cur >= UInt(count)
    }

    /// The hard limit, which only root can raise.
    package static var hard: UInt { UInt(current.rlim_max) }

    private static var current: rlimit {
        var limit = rlimit()
        getrlimit(resource, &limit)
        return limit
    }
}
