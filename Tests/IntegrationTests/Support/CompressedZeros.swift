import BluebonnetTestSupport

/// Zeros compressed by a command, which are very small.
enum CompressedZeros {
    static func bytes(_ count: Int, through command: String) throws -> [UInt8] {
        [UInt8](try SystemCommand(shell: "head -c \(count) /dev/zero | \(command)").output())
    }
}
