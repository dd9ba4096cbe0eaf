import Glibc

/// The number with which a system call failed.
package struct SystemError: Error, Hashable {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// The system's words for it.
    package var message: String { String(cString: strerror(number)) }

    /// Whether there is nothing at a path.
    package var isAboutMissingFile: Bool { number == ENOENT || number == ENOTDIR }

    /// Whether the process, or the system, may have no more open files.
    var isShortage: Bool { number == EMFILE || number == ENFILE }

    /// The system's words and what to do, which is the advice unless no more files may be open.
    package func explained(advice: String? = nil) -> String {
        let advice =
            isShortage
            ? "raise the process's limit of open files, or lower the number of connections" : advice
        return ([message] + (advice.map { [$0] } ?? [])).joined(separator: "; ")
    }

    /// The error of the call that has just failed on this thread.
    static var last: SystemError { SystemError(errno) }

    /// Calls again for as long as a signal interrupts the call.
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
