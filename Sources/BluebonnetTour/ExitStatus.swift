/// The exit statuses of the program.
enum ExitStatus {
    static let success: Int32 = 0
    /// A step failed, or the server could not start.
    static let failure: Int32 = 1
    /// The arguments are invalid.
    static let usage: Int32 = 2
}
