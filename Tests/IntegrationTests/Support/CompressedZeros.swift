import BluebonnetTestSupport

/// Zeros as a command compresses them, which is to next to nothing.
enum CompressedZeros {
    static func bytes(_ count: Int, through command: String) throws -> [UInt8] {
        [UInt8](try SystemCommand(shell: "head -c \(count) /dev/zero | \(command)").output())
    }
}
