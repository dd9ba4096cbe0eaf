import Glibc

/// The number with which a system call failed.
package struct SystemError: Error, Hashable {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// The system's words for it.
    package var message: String { String(cString: strerror(number)) }

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
