/// When a window of bytes is full, and when there is room in it again.
struct WindowLimits: Sendable {
    /// In bytes.
    let size: Int

    /// Whether nothing more may come while so many bytes are outstanding.
    func isFull(at outstandingCount: Int) -> Bool { outstandingCount >= size }

    /// Whether a window that was full has room again: at a quarter, so that a reader does not wake the sender for
    /// every byte.
    func hasRoomAgain(at outstandingCount: Int) -> Bool { outstandingCount <= size / 4 }
}
