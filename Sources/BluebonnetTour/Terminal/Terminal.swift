import Bluebonnet
import Glibc

/// What a progress line needs to know of the place it is written to.
struct Terminal: Sendable {
    /// Whether a line can be written over there: a terminal that knows more than printing.
    let isInteractive: Bool

    /// Whether it shows more than ASCII.
    let usesUTF8: Bool

    /// Columns, asked each time, for the user may change them.
    let width: @Sendable () -> Int

    let write: @Sendable (String) -> Void

    static let standardOutput = Terminal(
        descriptor: STDOUT_FILENO, environment: ProcessInfo.processInfo.environment)

    static let standardError = Terminal(
        descriptor: STDERR_FILENO, environment: ProcessInfo.processInfo.environment)
}

extension Terminal {
    /// An open file, which need not be a terminal, seen with the variables of an environment.
    init(descriptor: Int32, environment: [String: String]) {
        let type = environment["TERM"] ?? ""
        isInteractive = isatty(descriptor) == 1 && !type.isEmpty && type != "dumb"
        usesUTF8 = Self.isUTF8(environment)
        let fallback = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        width = {
            var size = winsize()
            let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
            return isKnown ? Int(size.ws_col) : fallback ?? 80
        }
        write = { Self.write($0, to: descriptor) }
    }

    /// Writes a line at once, also into a file or pipe, so that it keeps its place between bars.
    func print(_ line: String) {
        write(line + "\n")
    }

    /// The first of the variables that is set decides, as in POSIX 8.2.
    private static func isUTF8(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
            .compactMap { environment[$0] }
            .first { !$0.isEmpty }
        guard let name = locale?.lowercased() else { return false }
        return name.contains("utf-8") || name.contains("utf8")
    }

    /// Writes the text, and ignores a failure: nobody would read an error about the output.
    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}
