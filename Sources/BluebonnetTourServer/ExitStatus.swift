import Glibc

/// The exit statuses of the programs.
package enum ExitStatus {
    package static let success: Int32 = 0
    /// A step failed, or the server could not start.
    package static let failure: Int32 = 1
    /// The arguments are invalid.
    package static let usage: Int32 = 2
    /// The reader of the output has closed it: the status that a shell reports for a program ended by SIGPIPE.
    package static let unread: Int32 = 128 + SIGPIPE
}
