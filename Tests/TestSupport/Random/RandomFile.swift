package import Foundation

/// A large file in which every MiB is different, written without holding it in memory.
package enum RandomFile {
    package static func write(_ count: Int, to url: URL, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var words = (0..<(1 << 17)).map { _ in generator.next() }
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        var rest = count
        while rest > 0 {
            words[0] = generator.next()
            words[1 << 16] = generator.next()
            let bytes = words.withUnsafeBytes { Data($0.prefix(rest)) }
            try file.write(contentsOf: bytes)
            rest -= bytes.count
        }
        try file.close()
    }
}
