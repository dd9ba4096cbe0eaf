import CBluebonnet

/// What is known of one socket, and what epoll was told of it.
struct SocketEntry {
    /// Tells a descriptor from an earlier one of the same number inside one batch of events.
    var generation: UInt32 = 0
    var registered: UInt32?
    var wanted: UInt32 = 0
    /// Whether we opened it as a connection, so that its closing is reported to us.
    var isConnection = false
    /// Whether it is being connected for an exchange, beside others, and libcurl does not know of it.
    var isRacing = false
    /// The exchange that it is being connected for, or that libcurl last watched it for.
    var transferNumber: UInt64 = 0
    var pool: UInt64 = 0
    /// Which socket of the system's it is, whatever becomes of the descriptor's number.
    var inode: UInt = 0
    /// Whether it carries HTTP/2, whose server may send frames at any time.
    var isMultiplexed = false
    /// Whether it is known to carry HTTP/1.
    var isHTTP1 = false
    /// How long it is kept while libcurl does not watch it.
    var idleTime = IdleTime()
    /// In which round libcurl was last told of it.
    var round: UInt64 = 0

    /// Whether it is a connection that libcurl does not watch.
    var isIdle: Bool { isConnection && wanted == 0 }

    /// What is watched while libcurl does not watch it.
    ///
    /// Frames that come meanwhile wait in the kernel for libcurl, and belong to no request.
    var idleEvents: UInt32 { UInt32(isMultiplexed ? BB_ENDED : BB_READABLE) }
}
