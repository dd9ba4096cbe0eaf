import Bluebonnet

/// The rules of a `robots.txt` for all crawlers.
struct Robots: Sendable {
    private var forbidden: [String] = []

    init(_ text: String) {
        var isForAll = false
        var previous = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.prefix { $0 != "#" }.split(separator: ":", maxSplits: 1)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2 else { continue }
            let (name, value) = (parts[0].lowercased(), parts[1])
            if name == "user-agent" {
                // Agents that are named one after the other share their rules.
                isForAll = value == "*" || (isForAll && previous == name)
            } else if name == "disallow", isForAll, !value.isEmpty {
                // A wildcard ends the rule, which then forbids more rather than less.
                forbidden.append(String(value.prefix { $0 != "*" && $0 != "$" }))
            }
            previous = name
        }
    }

    func allows(_ url: URL) -> Bool {
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        let target = url.path(percentEncoded: true) + query
        return !forbidden.contains { target.hasPrefix($0) }
    }
}
