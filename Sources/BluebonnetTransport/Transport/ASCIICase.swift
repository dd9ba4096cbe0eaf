import Glibc

extension UInt8 {
    package var asciiLowercased: UInt8 {
        self >= 0x41 && self <= 0x5A ? self | 0x20 : self
    }
}

extension String {
    package func caseInsensitiveEquals(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether two buffers are equal except for the case of ASCII letters.
    func equalsIgnoringCase(_ other: Self) -> Bool {
        guard count == other.count, let baseAddress, let start = other.baseAddress else {
            return count == other.count
        }
        // Most names have the same case.
        return memcmp(baseAddress, start, count) == 0
            || zip(self, other).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}
