/// The limits at which a window of bytes is full, and at which a full one has room again.
struct WindowLimits: Sendable {
    /// The size of the window, in bytes.
    let size: Int

    /// Returns whether the window is full with a number of outstanding bytes.
    func isFull(at outstandingCount: Int) -> Bool { outstandingCount >= size }

    /// Returns whether a window that was full has room again.
    ///
    /// It has room at a quarter of its size, so that a reader does not wake the sender for every
    /// byte.
    func hasRoomAgain(at outstandingCount: Int) -> Bool { outstandingCount <= size / 4 }
}
