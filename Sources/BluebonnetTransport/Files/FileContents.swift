package import Foundation
import Glibc

/// Reads complete files, including pipes.
package enum FileContents {
    /// Reads a file to its end.
    package static func read(_ path: String) throws(SystemError) -> Data {
        // C would take the part before the zero byte for the whole path.
        guard !path.utf8.contains(0) else { throw SystemError(EINVAL) }
        let descriptor = try check { open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC) }
        defer { close(descriptor) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = try check { Glibc.read(descriptor, &buffer, buffer.count) }
            if count == 0 { return data }
            data += buffer.prefix(count)
        }
    }

    /// The system's error if the process or the system has reached its limit on open files, or nil.
    package static var shortage: SystemError? {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else {
            close(descriptor)
            return nil
        }
        let error = SystemError.last
        return error.isShortage ? error : nil
    }

    private static func check<Value: SignedInteger>(
        _ call: () -> Value
    ) throws(SystemError) -> Value {
        try SystemError.retrying { () throws(SystemError) in
            let result = call()
            guard result >= 0 else { throw .last }
            return result
        }
    }
}
