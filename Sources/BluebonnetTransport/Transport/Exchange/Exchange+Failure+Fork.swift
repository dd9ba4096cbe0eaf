extension Exchange.Failure {
    /// The failure of an exchange in a process that has lost the threads to perform it.
    package static var forked: Self {
        Self(
            .unknown,
            message: """
                this process was forked without executing a program, so it lacks the threads that \
                send requests; start a program instead, for example with Foundation's Process, or \
                fork before the first use of the library
                """
        )
    }
}
