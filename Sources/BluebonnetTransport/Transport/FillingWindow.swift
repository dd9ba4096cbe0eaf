/// A window that counts the bytes in it, on one thread at a time.
struct FillingWindow: Sendable {
    private let limits: WindowLimits
    private(set) var outstandingCount = 0
    private(set) var isFull = false

    /// Creates a window.
    ///
    /// A window of zero bytes lets one piece through at a time.
    init(size: Int) {
        limits = WindowLimits(size: max(1, size))
    }

    /// Adds received bytes, or subtracts consumed ones if the change is negative.
    mutating func count(_ change: Int) {
        outstandingCount += change
        isFull =
            isFull
            ? !limits.hasRoomAgain(at: outstandingCount) : limits.isFull(at: outstandingCount)
    }
}
