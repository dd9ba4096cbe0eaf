/// Text broken into lines at its spaces.
enum WrappedText {
    /// Returns lines of at most `columns` characters; a longer word has a line of its own.
    static func lines(of text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= columns {
                line += " \(word)"
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
