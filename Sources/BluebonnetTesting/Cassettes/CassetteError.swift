public import Bluebonnet

/// An error in a cassette's file, or requests that do not fit the cassette.
public struct CassetteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The cassette's file.
    public let file: URL
    /// The line of the file, from 1; nil if the problem is not in a line.
    public let line: Int?
    /// At least one problem, each with what to do about it.
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
