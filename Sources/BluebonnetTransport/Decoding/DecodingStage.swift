/// One content coding being removed from a stream of bytes.
protocol DecodingStage: AnyObject {
    /// The coding this stage removes.
    var coding: ContentCoding { get }

    /// Whether the stream may end after the bytes taken so far.
    var isComplete: Bool { get }

    /// Takes from the front of `input` and writes to the front of `output`, moving both fronts.
    ///
    /// `output` is not empty on entry. A stage that leaves bytes in both buffers must have moved
    /// one of them and is called again; one that empties `input` while `output` has room has
    /// nothing more to write until it gets more input.
    func step(
        _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError)
}

extension DecodingStage {
    /// Makes the error for bytes that are not a valid stream of this stage's coding.
    func corrupt(_ detail: String) -> ContentDecodingError {
        .corrupt(coding: coding.rawValue, detail: detail)
    }
}

extension UnsafeRawBufferPointer {
    /// Moves the front of the buffer past `count` bytes.
    mutating func advance(by count: Int) {
        self = UnsafeRawBufferPointer(rebasing: dropFirst(count))
    }

    /// Moves the front of the buffer to its end.
    mutating func advanceToEnd() {
        advance(by: count)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Moves the front of the buffer past `count` bytes.
    mutating func advance(by count: Int) {
        self = UnsafeMutableRawBufferPointer(rebasing: dropFirst(count))
    }
}
