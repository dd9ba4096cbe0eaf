/// The exit statuses of the driver besides those for success and failure.
enum ExitStatus {
    /// The run is void.
    static let void: Int32 = 3
    /// A comparison or a budget shows that a figure is worse.
    static let worse: Int32 = 4
}
