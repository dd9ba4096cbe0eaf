/// A window of bytes that one thread at a time counts.
struct FillingWindow: Sendable {
    private let limits: WindowLimits
    private(set) var outstandingCount = 0
    private(set) var isFull = false

    /// A window of no bytes lets one piece through at a time.
    init(size: Int) {
        limits = WindowLimits(size: max(1, size))
    }

    /// Counts bytes that came, or with a minus those that were consumed.
    mutating func count(_ change: Int) {
        outstandingCount += change
        isFull =
            isFull
            ? !limits.hasRoomAgain(at: outstandingCount) : limits.isFull(at: outstandingCount)
    }
}
