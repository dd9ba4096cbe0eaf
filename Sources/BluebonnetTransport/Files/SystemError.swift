import Glibc

/// An error of a system call, with its `errno` value.
package struct SystemError: Error, Hashable {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// The system's description of the error.
    package var message: String { String(cString: strerror(number)) }

    /// Whether the error means that there is no file at a path.
    package var isAboutMissingFile: Bool { number == ENOENT || number == ENOTDIR }

    /// Whether the process or the system has reached its limit on open files.
    var isShortage: Bool { number == EMFILE || number == ENFILE }

    /// Returns the system's description, followed by advice.
    ///
    /// If the limit on open files is reached, the advice is how to avoid that.
    package func explained(advice: String? = nil) -> String {
        let advice =
            isShortage
            ? "raise the process's limit of open files, or lower the number of connections" : advice
        return ([message] + (advice.map { [$0] } ?? [])).joined(separator: "; ")
    }

    /// The error of the last failed call on this thread.
    static var last: SystemError { SystemError(errno) }

    /// Repeats a call while it is interrupted by a signal.
    package static func retrying<Value>(
        _ call: () throws(SystemError) -> Value
    ) throws(SystemError) -> Value {
        while true {
            do {
                return try call()
            } catch  where error.number == EINTR {
                continue
            }
        }
    }
}
