extension FaultTheme {
    static let system = [
        FaultTheme(
            "Tasks, hooks, and sessions",
            [
                FaultGroup(
                    83, "cancellation at any stage, or after the end",
                    .mixed(failing: "abcdefghik"),
                    "ends the task at once, and changes nothing after its end"),
                FaultGroup(
                    84, "rapid suspend and resume, or errors between them",
                    .mixed(failing: "cd"),
                    "loses no byte, or fails once"),
                FaultGroup(
                    85, only: "ac", "handler or `async` hook that blocks, or uses the manager",
                    .succeeds,
                    "delays only its own task"),
                FaultGroup(
                    85, only: "bde", "closure that throws, cancels, or ends the session", .fails,
                    "fails once"),
                FaultGroup(
                    86, only: "ac", "session invalidated with active or starting tasks", .fails,
                    "ends each task once"),
                FaultGroup(
                    86, only: "b", "manager or transport released with active tasks", .succeeds,
                    "keeps the manager until its tasks end"),
                FaultGroup(
                    105, "head or trailer that arrives during a resume and a suspend",
                    .mixed(failing: "bc"), "checks each line as usual"),
                FaultGroup(
                    106, only: "ab", "endless error body of a download or stream", .fails,
                    "cuts it at 1 MiB and after 5 seconds"),
                FaultGroup(
                    106, only: "c", "redirect whose body trickles on", .succeeds,
                    "follows it after 5 seconds"),
            ]),
        FaultTheme(
            "Process and system",
            [
                FaultGroup(
                    87, only: "ab", "10,000 tasks or 1,000 hosts at once", .succeeds,
                    "completes all within the limits"),
                FaultGroup(
                    87, only: "cde", "no file descriptors, threads, or memory", .fails,
                    "fails the tasks that need them, and recovers"),
                FaultGroup(
                    88, "clock jump, stopped process, `EINTR`, `SIGCHLD`, or `SIGPIPE`",
                    .mixed(failing: "d"),
                    "continues, but fails the task that caused `SIGPIPE`"),
                FaultGroup(
                    89, only: "abc",
                    "fork, program started, or closed standard descriptors",
                    .succeeds, "continues, and passes on no connection or file"),
                FaultGroup(
                    89, only: "d", "manager in a forked child", .fails, "fails its tasks"),
                FaultGroup(
                    95, "end of the network thread, or error inside libcurl", .fails,
                    "fails the affected tasks, and recovers"),
            ]),
    ]
}
