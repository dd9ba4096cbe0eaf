import Bluebonnet
import Glibc

/// Reads a file that may block, such as a terminal; canceling the Swift task ends the wait.
struct PatientReader: Sendable {
    /// The reason for reading nothing.
    enum Failure: Error {
        case system(Int32)
        case cancelled

        var text: String {
            switch self {
            case .system(let number): String(cString: strerror(number))
            case .cancelled: "interrupted"
            }
        }
    }

    /// A pipe that wakes up the waiting thread.
    private final class Alarm: Sendable {
        let waiting: Int32
        private let ringing: Int32

        init?() {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            (waiting, ringing) = (ends[0], ends[1])
        }

        deinit {
            close(waiting)
            close(ringing)
        }

        func ring() {
            _ = Glibc.write(ringing, "!", 1)
        }
    }

    let descriptor: Int32
    /// The byte at which to stop, which is dropped; nil to read to the end of the file.
    var terminator: UInt8?

    /// Returns the bytes, which a thread of its own reads.
    func bytes() async throws(Failure) -> Data {
        guard let alarm = Alarm() else { throw .system(errno) }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: read(until: alarm)) }
            }
        } onCancel: {
            alarm.ring()
        }
        return try result.get()
    }

    private func read(until alarm: Alarm) -> Result<Data, Failure> {
        var bytes = Data()
        // One byte at a time if there is a terminator, since the rest belongs to another reader.
        var buffer = [UInt8](repeating: 0, count: terminator == nil ? 65_536 : 1)
        while true {
            var waiting = [
                pollfd(fd: alarm.waiting, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waiting, 2, -1) >= 0 else {
                if errno == EINTR { continue }
                return .failure(.system(errno))
            }
            guard waiting[0].revents == 0 else { return .failure(.cancelled) }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else {
                if errno == EINTR || errno == EAGAIN { continue }
                return .failure(.system(errno))
            }
            if count == 0 || (terminator != nil && buffer[0] == terminator) {
                return .success(bytes)
            }
            bytes += buffer[..<count]
        }
    }
}
