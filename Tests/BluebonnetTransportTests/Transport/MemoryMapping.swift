import Foundation

/// A range of this process's addresses as reported by the system (`proc_pid_smaps(5)`).
struct MemoryMapping {
    /// Whether the system supports requests for large pages.
    static let systemHasLargePages = FileManager.default.fileExists(
        atPath: "/sys/kernel/mm/transparent_hugepage/enabled")

    let range: Range<UInt>
    private(set) var prefersLargePages = false

    /// Returns the mappings of a range, clipped to it.
    static func all(in range: Range<UInt>) throws -> [Self] {
        // Reading it at once, as Foundation does, returns only the first few.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/smaps"))
        var text = Data()
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { text += piece }
        var mappings: [Self] = []
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            if let head = words.first, let mapping = Self(head) {
                mappings.append(mapping)
            } else if words.first == "VmFlags:" {
                mappings[mappings.count - 1].prefersLargePages = words.contains("hg")
            }
        }
        return mappings.filter { $0.range.overlaps(range) }
    }

    private init?(_ text: Substring) {
        let ends = text.split(separator: "-").map { UInt($0, radix: 16) }
        guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else {
            return nil
        }
        range = start..<end
    }
}
