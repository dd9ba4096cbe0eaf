import Foundation
import Glibc

/// An output, with the properties that decide how text looks there.
package struct Terminal: Sendable {
    /// Whether the output is a terminal that understands control sequences.
    package let isInteractive: Bool

    /// Whether it shows colors.
    package let usesColor: Bool

    /// Writes text at once; failures are ignored, since they could not be reported anyway.
    package let write: @Sendable (_ text: String) -> Void

    package init(
        isInteractive: Bool, usesColor: Bool, write: @escaping @Sendable (_ text: String) -> Void
    ) {
        self.isInteractive = isInteractive
        self.usesColor = usesColor
        self.write = write
    }

    /// Standard output; the closure is called when its reader has closed it.
    package static func standardOutput(whenUnread: @escaping @Sendable () -> Void) -> Terminal {
        Terminal(
            descriptor: STDOUT_FILENO, environment: ProcessInfo.processInfo.environment,
            whenUnread: whenUnread)
    }

    package static let standardError = Terminal(
        descriptor: STDERR_FILENO, environment: ProcessInfo.processInfo.environment)

    /// Writes that a signal has ended the program.
    package func printInterruption() {
        // Overwrites the `^C` that the terminal has echoed.
        print("\(isInteractive ? "\r\u{1B}[K" : "")interrupted")
    }

    /// Writes a line.
    package func print(_ line: String) {
        write(line + "\n")
    }
}

extension Terminal {
    /// Makes an output for an open file of any kind, with the variables of an environment.
    ///
    /// The closure is called when a write finds that the other end of a pipe is closed.
    package init(
        descriptor: Int32, environment: [String: String],
        whenUnread: @escaping @Sendable () -> Void = {}
    ) {
        let type = environment["TERM"] ?? ""
        isInteractive = isatty(descriptor) == 1 && !type.isEmpty && type != "dumb"
        usesColor = isInteractive && (environment["NO_COLOR"] ?? "").isEmpty
        write = { text in
            if Self.write(text, to: descriptor) == EPIPE { whenUnread() }
        }
    }

    /// Writes all of the text; returns the system's error number, 0 after success.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another process has set O_NONBLOCK.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
