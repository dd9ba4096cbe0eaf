/// The rate at which a body is sent: a packet, then a delay, and so on.
package struct BodyThrottle: Sendable {
    /// The number of bytes sent between two delays, at least 1.
    package var packetSize: Int
    package var delay: Duration
    package var clock: any Clock<Duration>

    package init(packetSize: Int, delay: Duration, clock: any Clock<Duration>) {
        self.packetSize = packetSize
        self.delay = delay
        self.clock = clock
    }
}
