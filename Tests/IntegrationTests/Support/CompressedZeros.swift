import Foundation
import Glibc

/// Zeros as a command compresses them, which is to next to nothing.
enum CompressedZeros {
    // Foundation's `Process` reads beyond its memory, which the address sanitizer ends.
    static func bytes(_ count: Int, through command: String) throws -> [UInt8] {
        guard let pipe = popen("head -c \(count) /dev/zero | \(command)", "r") else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        defer { pclose(pipe) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let got = fread(&piece, 1, piece.count, pipe), got > 0 { bytes += piece[..<got] }
        return bytes
    }
}
