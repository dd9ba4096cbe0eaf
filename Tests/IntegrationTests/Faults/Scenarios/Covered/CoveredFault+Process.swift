import Bluebonnet

// What the process and its system do.
extension CoveredFault {
    static let process = [
        CoveredFault(
            "87a", "10,000 tasks at once", nil,
            "completes all of them on the allowed number of connections",
            Place(
                "ManyTasksTests",
                "ten thousand with one host all succeed within the limit of connections (fault 87)"
            ),
            Place(
                "LoadTests",
                "20,000 tasks at concurrency 256 with random cancels complete exactly once each")),
        CoveredFault(
            "87b", "1,000 hosts at once", nil,
            "limits simultaneous lookups and closes idle connections for new ones",
            Place(
                "ManyTasksTests",
                "with a thousand hosts all succeed within the limit of connections (fault 87)"),
            Place("FairSharingTests", "a new host is served soon, however many hosts are slow")),
        CoveredFault(
            "87c", "no file descriptors left (EMFILE)", .cannotConnect,
            "fails tasks that need one, uses kept connections for others, and recovers",
            Place(
                "FileLimitTests",
                "fails what needs one, serves kept connections, and recovers (fault 87)")),
        CoveredFault(
            "87d", "no thread available for a lookup or for the loop", .cannotFindHost,
            "fails tasks that need one and recovers, while handlers wait for a thread of Dispatch",
            Place(
                "ThreadLimitTests",
                "fails what needs one, serves what does not, and recovers (fault 87)")),
        CoveredFault(
            "87e", "no memory for a body of known length", .unknown,
            "fails only that task, unless Swift ends the process for lack of memory for an object",
            Place(
                "MemoryLimitTests",
                "fails a body of known length that there is no room for, and serves others (fault 87)"
            )),
        CoveredFault(
            "88a", "a wall clock that jumps forwards or backwards by a year", nil,
            "measures timeouts and metrics with a monotonic clock",
            Place(
                "ClockJumpTests",
                "ends no task early and none late, forwards or backwards by a year (fault 88)")),
        CoveredFault(
            "88b", "a process stopped for longer than its timeouts", nil,
            "reads the bytes that arrived before it checks the timeouts",
            Place(
                "StoppedProcessTests",
                "judges timeouts by what came while it stood still (fault 88)")),
        CoveredFault(
            "88c", "hundreds of interrupted calls (EINTR)", nil,
            "continues the calls",
            Place(
                "StoppedProcessTests",
                "goes on with every call that was interrupted (fault 88)"),
            Place(
                "DownloadFileFaultTests",
                "every call that a signal interrupts is repeated"),
            Place(
                "UploadFileTests",
                "short and interrupted reads are continued")),
        CoveredFault(
            "88d", "SIGPIPE in a process with the default action", .connectionLost,
            "blocks it on the loop's thread, so the task fails and the process continues",
            Place(
                "SignalTests",
                "SIGPIPE ends nobody, however the process handles it (fault 88)")),
        CoveredFault(
            "88e", "SIGCHLD from child processes that end", nil,
            "continues and waits for no child process",
            Place(
                "SignalTests",
                "SIGCHLD disturbs no task, and the children stay those of whoever made them (fault 88)"
            )),
        CoveredFault(
            "89a", "a fork in another thread", nil,
            "continues, but the child may use neither Swift nor Bluebonnet before it executes a program",
            Place(
                "ForkTests",
                "a fork in another thread changes nothing for the tasks of the process (fault 89)")),
        CoveredFault(
            "89b", "a program started during tasks", nil,
            "passes on no connection and no file, except sockets of libcurl 7.88 that carry no data",
            Place(
                "ForkTests",
                "a program that the process starts inherits no descriptor of any task's (fault 89)"),
            Place(
                "PoolTests",
                "connections are not inherited by programs that the process starts")),
        CoveredFault(
            "89c", "a process that is started with standard descriptors closed", nil,
            "opens `/dev/null` in their place, so no socket receives what the process prints",
            Place(
                "ClosedDescriptorsTests",
                "a program that is started without them can print, and no file takes their numbers (fault 89)"
            ),
            Place(
                "ClosedDescriptorsTests",
                "a program that closes them before it makes a manager can print (fault 89)")),
        CoveredFault(
            "89d", "a manager in a process that was forked without executing a program", .unknown,
            "fails its tasks at once, and leaves the tasks of the parent alone",
            Place(
                "ForkedManagerTests",
                "a task gets an error at once, and the parent goes on (fault 89)"),
            Place(
                "ForkedManagerTests",
                "a task gets the error whatever the parent's threads do at the fork (fault 89)")),
        CoveredFault(
            "94a", "an IPv6 address", nil,
            "connects to it",
            Place(
                "IPv6AddressTests",
                "is connected to as the URL has it, and named so in Host and metrics (fault 94)")),
        CoveredFault(
            "94f", "a missing Unix socket, or a directory in its place", .cannotConnect,
            "fails",
            Place(
                "RouteTests",
                "a Unix socket replaces the host (fault 94)")),
        CoveredFault(
            "95a", "the loop's thread ends", .unknown,
            "fails active tasks, and the next task starts a new loop",
            Place(
                "LostLoopTests",
                "it fails exchanges under way, and the next one gets another loop (fault 95)")),
        CoveredFault(
            "95b", "libcurl refuses an option or an exchange", .unknown,
            "fails only that task",
            Place(
                "BrokenLibraryTests",
                "any option that is refused fails its exchange and no other (fault 95)"
            ),
            Place(
                "BrokenLibraryTests",
                "an exchange that libcurl refuses fails, and the next one works (fault 95)")),
        CoveredFault(
            "95c", "a known or unknown error of libcurl's multi handle", .unknown,
            "fails the tasks of that connection pool, which then gets new connections",
            Place(
                "BrokenLibraryTests",
                "any error of the multi handle fails the pool's exchanges and rebuilds the pool (fault 95)"
            )),
        CoveredFault(
            "101", "a file of authorities that is replaced or temporarily unreadable", nil,
            "uses the new file for new connections, or keeps the last readable one",
            Place(
                "AuthorityFilesTests",
                "a file is read again when it has changed, and kept while it is unreadable")),
        CoveredFault(
            "102", "a truncated or damaged cookie file", nil,
            "reports an error or reads the valid part, and overwrites no other file",
            Place(
                "CookieFileTests",
                "a file with any cut or changed byte is an error or a jar with no more cookies"),
            Place(
                "CookieFileTests",
                "a file in another format is an error and is not overwritten")),
        CoveredFault(
            "104", "several tasks with a TLS server that selects no protocol", nil,
            "lets no task wait for the end of another",
            Place(
                "UnchosenProtocolTests",
                "lets no task wait for the end of another, nor does one that chooses HTTP/1.1 (fault 104)"
            )),
    ]
}
