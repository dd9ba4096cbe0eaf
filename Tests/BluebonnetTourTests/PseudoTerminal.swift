import Glibc

/// A terminal of the kernel's, with this process in the place of its screen.
final class PseudoTerminal {
    struct Failure: Error {
        let number: Int32
    }

    /// What programs write to.
    let terminal: Int32
    private let screen: Int32

    init(columns: UInt16) throws {
        var (screen, terminal) = (Int32(-1), Int32(-1))
        var size = winsize()
        size.ws_col = columns
        size.ws_row = 24
        guard openpty(&screen, &terminal, nil, nil, &size) == 0 else {
            throw Failure(number: errno)
        }
        (self.screen, self.terminal) = (screen, terminal)
    }

    deinit {
        close(terminal)
        close(screen)
    }

    func resize(columns: UInt16) {
        var size = winsize()
        size.ws_col = columns
        size.ws_row = 24
        _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
    }

    /// What has been written since the last time, as it comes to the screen.
    func read() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var waiting = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, 0) == 1 {
            let count = Glibc.read(screen, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
