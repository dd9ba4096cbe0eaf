/// A decoder that removes one content coding from a stream of bytes.
protocol DecodingStage: AnyObject {
    /// The coding that this stage removes.
    var coding: ContentCoding { get }

    /// Whether the body can end after the bytes taken so far.
    var isComplete: Bool { get }

    /// Takes bytes from the front of `input` and writes to the front of `output`, moving both.
    ///
    /// `output` is not empty on entry. A stage that leaves bytes in `input` and room in `output`
    /// must have moved at least one of them, and is called again. A stage that empties `input`
    /// while `output` has room has nothing more to write until it gets more input.
    func step(
        _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError)
}

extension DecodingStage {
    /// Returns the error for bytes that are not a valid stream of this stage's coding.
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
