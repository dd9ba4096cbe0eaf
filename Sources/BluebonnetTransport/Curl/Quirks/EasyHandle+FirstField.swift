import CBluebonnet

// See `LibcurlQuirks.keepsPointerToFreedField`. A
// head whose first field begins with white space, as if it continued another, makes libcurl write
// through that pointer. So such a line is stopped before libcurl takes it: what is to be written
// with the body is handed over earlier, and fields are if they are asked for.

/// How far the look at the first field of a head is.
enum FirstFieldLook {
    case none
    /// The next line is handed over as if it belonged to the body.
    case begun
    /// Its beginning was good; what else comes before its end is the same line.
    case good
}

extension EasyHandle {
    /// Whether a line is handed over that is no part of the body.
    var isLookingAtFirstField: Bool { firstField != .none }

    /// Asks for the line that follows a status line.
    ///
    /// Where that cannot be had, the exchange must not go on.
    func lookAtFirstField() throws(Exchange.Failure) {
        guard isUsed, LibcurlQuirks.current.keepsPointerToFreedField else { return }
        try set(CURLOPT_HEADER, 1)
        firstField = .begun
    }

    /// Whether libcurl may take the line of which this is a piece.
    func isGoodFirstField(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard firstField == .begun, let first = piece.first else { return true }
        firstField = .good
        return !first.isFieldWhiteSpace
    }

    /// Has lines no longer handed over early.
    func endLookAtFirstField() throws(Exchange.Failure) {
        guard isLookingAtFirstField else { return }
        try set(CURLOPT_HEADER, 0)
        firstField = .none
    }
}
