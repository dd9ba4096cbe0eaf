import CBluebonnet

// See `LibcurlQuirks.keepsPointerToFreedField`. If the first field of a head begins with white
// space, as if it continued another field, libcurl writes through that pointer. So such a line is
// rejected before libcurl processes it: libcurl calls the body callback earlier, and
// `CURLOPT_HEADER` makes it pass header lines there too.

/// The state of the check of a head's first field.
enum FirstFieldLook {
    case none
    /// The next line is passed to the body callback.
    case begun
    /// The line begins correctly, and further pieces before its end belong to it.
    case good
}

extension EasyHandle {
    /// Whether the body callback receives a header line.
    var isLookingAtFirstField: Bool { firstField != .none }

    /// Makes libcurl pass the line after a status line to the body callback.
    ///
    /// If this throws, the exchange must not continue.
    func lookAtFirstField() throws(Exchange.Failure) {
        guard isUsed, LibcurlQuirks.current.keepsPointerToFreedField else { return }
        try set(CURLOPT_HEADER, 1)
        firstField = .begun
    }

    /// Returns whether libcurl may process the line that a piece belongs to.
    func isGoodFirstField(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard firstField == .begun, let first = piece.first else { return true }
        firstField = .good
        return !first.isFieldWhiteSpace
    }

    /// Stops passing header lines to the body callback.
    func endLookAtFirstField() throws(Exchange.Failure) {
        guard isLookingAtFirstField else { return }
        try set(CURLOPT_HEADER, 0)
        firstField = .none
    }
}
