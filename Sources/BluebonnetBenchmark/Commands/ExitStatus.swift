/// What the driver ends with when it neither succeeded nor failed.
enum ExitStatus {
    /// The run says nothing.
    static let void: Int32 = 3
    /// A comparison or a budget shows that something got worse.
    static let worse: Int32 = 4
}
