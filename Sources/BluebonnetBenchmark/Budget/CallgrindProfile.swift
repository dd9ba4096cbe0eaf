/// The counts of one callgrind run.
struct CallgrindProfile {
    /// The functions that allocate memory, once for each call.
    static let allocators: Set<String> = [
        "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign",
    ]

    private(set) var instructions = 0
    private(set) var allocations = 0

    /// Reads the text of callgrind's output file.
    ///
    /// Functions are numbered. The first line with a number also has the name, and later lines have
    /// only the number. After a line with a callee, another line has the number of calls.
    init(_ text: String) {
        var names: [Substring: Substring] = [:]
        var callee: Substring?
        for line in text.split(separator: "\n") {
            if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
                let parts = line.drop { $0 != "(" }.split(separator: " ", maxSplits: 1)
                guard let number = parts.first else { continue }
                if parts.count == 2 { names[number] = parts[1] }
                callee = names[number]
            } else if line.hasPrefix("calls=") {
                guard let callee, Self.allocators.contains(String(callee)) else { continue }
                allocations += Self.number(line.dropFirst("calls=".count))
            } else if line.hasPrefix("summary:") {
                instructions = Self.number(line.dropFirst("summary:".count))
            }
        }
    }

    private static func number(_ text: Substring) -> Int {
        text.split(separator: " ").first.flatMap { Int($0) } ?? 0
    }
}
