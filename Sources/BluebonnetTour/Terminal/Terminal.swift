import Bluebonnet
import Glibc

/// An output, with the properties that decide how text looks there.
struct Terminal: Sendable {
    /// Whether the output is a terminal of any kind.
    let isTerminal: Bool

    /// Whether a line can be overwritten there.
    let isInteractive: Bool

    /// Whether it shows characters outside ASCII.
    let usesUTF8: Bool

    /// Whether it shows colors.
    let usesColor: Bool

    /// Columns, asked each time, for the user may change them.
    let width: @Sendable () -> Int

    /// Writes bytes at once; returns the system's error number, 0 after success.
    let send: @Sendable (Data) -> Int32

    /// Standard output; the closure is called when its reader has closed it.
    static func standardOutput(whenUnread: @escaping @Sendable () -> Void = {}) -> Terminal {
        Terminal(
            descriptor: STDOUT_FILENO, environment: ProcessInfo.processInfo.environment,
            whenUnread: whenUnread)
    }

    static let standardError = Terminal(
        descriptor: STDERR_FILENO, environment: ProcessInfo.processInfo.environment)

    /// Writes text and ignores failures, which could not be reported anyway.
    func write(_ text: String) {
        _ = send(Data(text.utf8))
    }

    /// Writes a line at once, also into a file or pipe, so that it keeps its place between bars.
    func print(_ line: String) {
        write(line + "\n")
    }
}

extension Terminal {
    /// Makes an output for an open file of any kind, with the variables of an environment.
    ///
    /// The closure is called when a write finds that the other end of a pipe is closed.
    init(
        descriptor: Int32, environment: [String: String],
        whenUnread: @escaping @Sendable () -> Void = {}
    ) {
        let type = environment["TERM"] ?? ""
        isTerminal = isatty(descriptor) == 1
        isInteractive = isTerminal && !type.isEmpty && type != "dumb"
        usesColor = isInteractive && (environment["NO_COLOR"] ?? "").isEmpty
        usesUTF8 = Self.isUTF8(environment)
        let fallback = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        width = {
            var size = winsize()
            let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
            return isKnown ? Int(size.ws_col) : fallback ?? 80
        }
        send = { data in
            let number = FileWriting.write(data, to: descriptor)
            if number == EPIPE { whenUnread() }
            return number
        }
    }

    /// The first of the variables that is set decides, as in POSIX 8.2.
    private static func isUTF8(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
            .compactMap { environment[$0] }
            .first { !$0.isEmpty }
        guard let name = locale?.lowercased() else { return false }
        return name.contains("utf-8") || name.contains("utf8")
    }
}
