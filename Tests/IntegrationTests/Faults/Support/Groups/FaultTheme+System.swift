extension FaultTheme {
    static let system = [
        FaultTheme(
            "Tasks, hooks and sessions",
            [
                FaultGroup(
                    83, only: "j", "cancellation after the end", .succeeds, "changes nothing"),
                FaultGroup(
                    83, only: "abcdefghik", "cancellation at any stage", .fails,
                    "ends once, at once, and sends nothing more"),
                FaultGroup(
                    84, only: "ab", "rapid suspend and resume calls", .succeeds,
                    "loses no byte and keeps the last state"),
                FaultGroup(
                    84, only: "cd", "error while a task is suspended or resumes", .fails,
                    "fails once, after it resumes"),
                FaultGroup(
                    85, only: "ac", "hook or handler that blocks, or uses the manager", .succeeds,
                    "delays only its own task"),
                FaultGroup(
                    85, only: "b", "closure that throws", .fails, "fails with the thrown error"),
                FaultGroup(
                    85, only: "de", "hook or handler that cancels its task or ends the session",
                    .fails, "ends each task once"),
                FaultGroup(
                    86, only: "a", "session invalidated with active tasks", .fails,
                    "ends each task once"),
                FaultGroup(
                    86, only: "b", "manager or transport released with active tasks", .succeeds,
                    "keeps a manager until its tasks end"),
                FaultGroup(
                    86, only: "c", "task started while the session shuts down", .fails,
                    "ends the task once"),
                FaultGroup(
                    105, only: "a", "head that arrives while its task resumes and is suspended",
                    .succeeds, "reads it line by line"),
                FaultGroup(
                    105, only: "bc", "white space before such a head, or too many trailer fields",
                    .fails, "fails"),
            ]),
        FaultTheme(
            "Process and system",
            [
                FaultGroup(
                    87, only: "ab", "10,000 tasks or 1,000 hosts at once", .succeeds,
                    "completes all on the allowed number of connections"),
                FaultGroup(
                    87, only: "cde", "no file descriptors, threads or memory", .fails,
                    "fails the tasks that need them, and recovers"),
                FaultGroup(
                    88, only: "abce", "clock jump, stopped process, `EINTR` or `SIGCHLD`",
                    .succeeds, "continues, with monotonic timeouts"),
                FaultGroup(
                    88, only: "d", "`SIGPIPE`", .fails, "fails, but the process continues"),
                FaultGroup(
                    89, "fork, or program started during tasks", .succeeds,
                    "continues, and passes on no connection or file"),
                FaultGroup(
                    95, "end of the loop's thread, or error inside libcurl", .fails,
                    "fails the tasks concerned, and recovers"),
            ]),
    ]
}
