/// A window of bytes that one thread at a time counts.
struct FillingWindow: Sendable {
    private let limits: WindowLimits
    private(set) var outstandingCount = 0
    private(set) var isFull = false

    /// Creates a window; one of zero bytes lets a single piece through at a time.
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
