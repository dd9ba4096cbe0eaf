import Foundation
import Glibc

/// A terminal of the kernel's, with this process in the place of its screen.
final class PseudoTerminal: Sendable {
    struct Failure: Error {
        let number: Int32
    }

    /// What programs write to.
    let terminal: Int32
    private let screen: Int32

    init() throws {
        var (screen, terminal) = (Int32(-1), Int32(-1))
        guard openpty(&screen, &terminal, nil, nil, nil) == 0 else {
            throw Failure(number: errno)
        }
        (self.screen, self.terminal) = (screen, terminal)
    }

    deinit {
        close(terminal)
        close(screen)
    }

    /// The path by which a program opens it.
    var path: String { ttyname(terminal).map { String(cString: $0) } ?? "" }

    /// Presses keys, such as Ctrl-C as U+0003.
    func press(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = Glibc.write(screen, bytes, bytes.count)
    }

    /// What has been written since the last time, as it comes to the screen.
    func read() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while isReadable(within: 0) {
            let count = Glibc.read(screen, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns what is written from now on, up to a text at least, and then presses keys at once.
    ///
    /// It gives up after a minute without a byte.
    func read(until text: String, pressing keys: String = "") async -> String {
        await withCheckedContinuation { continuation in
            // A thread of Swift's own must not be blocked.
            Thread.detachNewThread {
                var shown = ""
                while !shown.contains(text), self.isReadable(within: 60_000) {
                    shown += self.read()
                }
                if !keys.isEmpty { self.press(keys) }
                continuation.resume(returning: shown)
            }
        }
    }

    private func isReadable(within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) == 1
    }
}
