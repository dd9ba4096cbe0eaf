public import Bluebonnet

/// An error in a cassette's file, or a mismatch between requests and a cassette.
public struct CassetteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The cassette's file.
    public let file: URL
    /// The line of the file, from 1; nil if the problem is not in a line.
    public let line: Int?
    /// At least one problem, each with advice on how to fix it.
    public let problems: [String]

    init(_ file: URL, line: Int? = nil, _ problems: [String]) {
        self.file = file
        self.line = line
        self.problems = problems
    }

    /// File, line and problem, one on each line.
    public var description: String {
        let place = line.map { "\(file.path):\($0)" } ?? file.path
        return problems.map { "\(place): \($0)" }.joined(separator: "\n")
    }
}
