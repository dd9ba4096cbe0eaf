import CBluebonnet

/// The state of one socket, and its registration with epoll.
struct SocketEntry {
    /// A counter that distinguishes the socket from an earlier one with the same descriptor number.
    ///
    /// A batch of events can contain events for both.
    var generation: UInt32 = 0
    var registered: UInt32?
    var wanted: UInt32 = 0
    /// Whether it was opened for a connection, so that libcurl usually calls back before closing
    /// it.
    var isConnection = false
    /// Whether it is being connected in an exchange's race, and is unknown to libcurl.
    var isRacing = false
    /// The number of the exchange that it is connected for, or that libcurl last watched it for.
    var transferNumber: UInt64 = 0
    var pool: UInt64 = 0
    /// The inode of the socket, which identifies it even if the descriptor's number is reused.
    var inode: UInt = 0
    /// Whether it carries HTTP/2, where the server can send frames at any time.
    var isMultiplexed = false
    /// Whether it is known to carry HTTP/1.
    var isHTTP1 = false
    /// How long it stays open while libcurl does not watch it.
    var idleTime = IdleTime()
    /// The round in which libcurl last acted on it.
    var round: UInt64 = 0

    /// Whether it is a connection that libcurl does not watch.
    var isIdle: Bool { isConnection && wanted == 0 }

    /// The events to watch for while libcurl does not watch the socket.
    ///
    /// HTTP/2 frames that arrive in the meantime wait in the kernel for libcurl, and belong to no
    /// request.
    var idleEvents: UInt32 { UInt32(isMultiplexed ? BB_ENDED : BB_READABLE) }
}
