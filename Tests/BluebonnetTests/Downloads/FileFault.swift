import BluebonnetTransport
import Foundation

/// A failure that affects one or more calls of a system call.
final class FileFault: Sendable {
    enum Call: CaseIterable {
        case open, write, read, truncate, reserve, synchronize, lock, changeMode, rename
        case renameExclusively, link, remove, makeDirectory, status, statusOfPath
    }

    private let error: SystemError
    private let struck: ClosedRange<Int>
    private let count = Locked(0)

    /// Fails the calls with these numbers, counted from 1.
    init(_ number: Int32, at struck: ClosedRange<Int> = 1...Int.max) {
        error = SystemError(number)
        self.struck = struck
    }

    var calls: Int { count.withLock { $0 } }

    func strike() throws(SystemError) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if struck.contains(number) { throw error }
    }
}

extension FileSystem {
    func failing(_ call: FileFault.Call, _ fault: FileFault) -> FileSystem {
        let real = self
        var changed = self
        switch call {
        case .open:
            changed.open = { (path, flags) throws(SystemError) in
                try fault.strike()
                return try real.open(path, flags)
            }
        case .write:
            changed.write = { (file, pieces, offset) throws(SystemError) in
                try fault.strike()
                return try real.write(file, pieces, offset)
            }
        case .read:
            changed.read = { (file, buffer, offset) throws(SystemError) in
                try fault.strike()
                return try real.read(file, buffer, offset)
            }
        case .truncate:
            changed.truncate = { (file, length) throws(SystemError) in
                try fault.strike()
                try real.truncate(file, length)
            }
        case .reserve:
            changed.reserve = { (file, length) throws(SystemError) in
                try fault.strike()
                try real.reserve(file, length)
            }
        case .synchronize:
            changed.synchronize = { (file) throws(SystemError) in
                try fault.strike()
                try real.synchronize(file)
            }
        case .lock:
            changed.lock = { (file) throws(SystemError) in
                try fault.strike()
                try real.lock(file)
            }
        case .changeMode:
            changed.changeMode = { (file, mode) throws(SystemError) in
                try fault.strike()
                try real.changeMode(file, mode)
            }
        case .rename:
            changed.rename = { (from, to) throws(SystemError) in
                try fault.strike()
                try real.rename(from, to)
            }
        case .renameExclusively:
            changed.renameExclusively = { (from, to) throws(SystemError) in
                try fault.strike()
                try real.renameExclusively(from, to)
            }
        case .link:
            changed.link = { (from, to) throws(SystemError) in
                try fault.strike()
                try real.link(from, to)
            }
        case .remove:
            changed.remove = { (path) throws(SystemError) in
                try fault.strike()
                try real.remove(path)
            }
        case .makeDirectory:
            changed.makeDirectory = { (path) throws(SystemError) in
                try fault.strike()
                try real.makeDirectory(path)
            }
        case .status:
            changed.status = { (file) throws(SystemError) in
                try fault.strike()
                return try real.status(file)
            }
        case .statusOfPath:
            changed.statusOfPath = { (path, follows) throws(SystemError) in
                try fault.strike()
                return try real.statusOfPath(path, follows)
            }
        }
        return changed
    }

    static func failing(_ call: FileFault.Call, _ number: Int32) -> FileSystem {
        FileSystem.linux.failing(call, FileFault(number))
    }

    /// Writes at most this many bytes per call.
    func writingAtMost(_ limit: Int) -> FileSystem {
        let real = self
        var changed = self
        changed.write = { (file, pieces, offset) throws(SystemError) in
            guard var first = pieces.first else { return try real.write(file, pieces, offset) }
            first.iov_len = min(first.iov_len, limit)
            let result = withUnsafePointer(to: first) { piece in
                Result { () throws(SystemError) in
                    try real.write(file, UnsafeBufferPointer(start: piece, count: 1), offset)
                }
            }
            return try result.get()
        }
        return changed
    }
}

extension FileSystem {
    /// Returns a copy that removes a file once a gate opens, and notes both.
    func removing(after gate: DispatchSemaphore, _ steps: Recorder<String>) -> FileSystem {
        var changed = self
        changed.remove = { (path) throws(SystemError) in
            steps.add("removing")
            gate.wait()
            try FileSystem.linux.remove(path)
            steps.add("removed")
        }
        return changed
    }
}
