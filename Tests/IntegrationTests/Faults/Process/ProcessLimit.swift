import Glibc

/// A limit of the process's that a test sets, in a process of its own, and lifts again.
struct ProcessLimit {
    enum Resource: Int32 {
        case processes = 6
        case openFiles = 7
        case addresses = 9
    }

    private let resource: Resource
    private let former: rlimit

    /// Sets the soft limit; nil where that is refused.
    init?(_ resource: Resource, _ value: UInt) {
        var limit = rlimit()
        // The kernel's numbers, whose type Swift imports in another way from version to version.
        guard getrlimit(__rlimit_resource_t(UInt32(resource.rawValue)), &limit) == 0 else {
            return nil
        }
        self.resource = resource
        former = limit
        limit.rlim_cur = value
        guard setrlimit(__rlimit_resource_t(UInt32(resource.rawValue)), &limit) == 0 else {
            return nil
        }
    }

    func lift() {
        var limit = former
        _ = setrlimit(__rlimit_resource_t(UInt32(resource.rawValue)), &limit)
    }
}
