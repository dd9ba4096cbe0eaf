/// The exit statuses of the program.
package enum ExitStatus {
    package static let success: Int32 = 0
    /// A step failed, or the server could not start.
    package static let failure: Int32 = 1
    /// The arguments are invalid.
    package static let usage: Int32 = 2
}
