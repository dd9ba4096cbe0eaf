import Bluebonnet

// What the process and its system do.
extension CoveredFault {
    static let process = [
        CoveredFault(
            "87a", "ten thousand tasks at once", nil,
            "serves them all, on as many connections as are allowed",
            Place(
                "ManyTasksTests",
                "ten thousand with one host all succeed, on as many connections as allowed (fault 87)"
            ),
            Place(
                "LoadTests",
                "20,000 tasks at concurrency 256 with random cancels complete exactly once each")),
        CoveredFault(
            "87b", "a thousand hosts at once", nil,
            "looks up so many at a time, and closes idle connections for new ones",
            Place(
                "ManyTasksTests",
                "with a thousand hosts all succeed, on as many connections as allowed (fault 87)")),
        CoveredFault(
            "87c", "no file descriptors left (EMFILE)", .cannotConnect,
            "fails what needs one, and says so; kept connections serve on; recovers, the first task of all included",
            Place(
                "FileLimitTests",
                "fails what needs one, serves kept connections, and recovers (fault 87)")),
        CoveredFault(
            "87d", "no thread to be had, for a look-up or for the loop", .cannotFindHost,
            "fails what needs one, and recovers; handlers wait for a thread of Dispatch's",
            Place(
                "ThreadLimitTests",
                "fails what needs one, serves what does not, and recovers (fault 87)")),
        CoveredFault(
            "87e", "no memory for a body whose length is known", .unknown,
            "fails it and serves others; Swift itself ends a process that gets no memory for an object",
            Place(
                "MemoryLimitTests",
                "fails a body of known length that there is no room for, and serves others (fault 87)"
            )),
        CoveredFault(
            "88a", "a wall clock that jumps by a year, forwards or backwards", nil,
            "measures timeouts and metrics by the clock that only goes forward",
            Place(
                "ClockJumpTests",
                "ends no task early and none late, forwards or backwards by a year (fault 88)")),
        CoveredFault(
            "88b", "a process that is stopped for longer than its timeouts, and goes on", nil,
            "looks at what came meanwhile before it judges; who was silent times out",
            Place(
                "StoppedProcessTests",
                "judges timeouts by what came while it stood still (fault 88)")),
        CoveredFault(
            "88c", "calls that are interrupted (EINTR), hundreds of times", nil,
            "goes on with them",
            Place(
                "StoppedProcessTests",
                "goes on with every call that was interrupted (fault 88)"),
            Place(
                "DownloadFileFaultTests",
                "every call that a signal interrupts is made again"),
            Place(
                "UploadFileTests",
                "short and interrupted reads are gone on with")),
        CoveredFault(
            "88d", "SIGPIPE, in a process that handles it by its default", .connectionLost,
            "is blocked on the loop's thread: the task fails, and the process goes on",
            Place(
                "SignalTests",
                "SIGPIPE ends nobody, however the process handles it (fault 88)")),
        CoveredFault(
            "88e", "SIGCHLD, with children of the process's that end", nil,
            "goes on, and waits for nobody's children",
            Place(
                "SignalTests",
                "SIGCHLD disturbs no task, and the children stay those of whoever made them (fault 88)"
            )),
        CoveredFault(
            "89a", "a fork in another thread", nil,
            "goes on; the child of a fork may use neither Swift nor this library before it executes a program",
            Place(
                "ForkTests",
                "a fork in another thread changes nothing for the tasks of the process (fault 89)")),
        CoveredFault(
            "89b", "a program that the process starts during tasks", nil,
            "inherits no connection and no file; libcurl 7.88 leaves it sockets of its own that carry nothing",
            Place(
                "ForkTests",
                "a program that the process starts inherits no descriptor of any task's (fault 89)"),
            Place(
                "PoolTests",
                "connections are not passed on to programs that the process starts")),
        CoveredFault(
            "94a", "an address of IPv6", nil,
            "connects to it",
            Place(
                "IPv6AddressTests",
                "is connected to as the URL has it, and named so in Host and metrics (fault 94)")),
        CoveredFault(
            "94f", "a Unix socket that is missing, or a directory", .cannotConnect,
            "fails",
            Place(
                "RouteTests",
                "a Unix socket stands in for the host (fault 94)")),
        CoveredFault(
            "95a", "the loop's thread ends", .unknown,
            "fails what was under way; the next task gets a new loop",
            Place(
                "LostLoopTests",
                "fails what was under way, and the next exchange gets another loop (fault 95)")),
        CoveredFault(
            "95b", "libcurl refuses an option, or an exchange", .unknown,
            "fails that task alone",
            Place(
                "BrokenLibraryTests",
                "an option that is refused, whichever it is, fails its exchange and no other (fault 95)"
            ),
            Place(
                "BrokenLibraryTests",
                "an exchange that libcurl does not take fails, and the next is taken (fault 95)")),
        CoveredFault(
            "95c", "an error of libcurl's multi handle, known or not", .unknown,
            "fails the tasks of that connection pool; the next one gets new connections, other pools notice nothing",
            Place(
                "BrokenLibraryTests",
                "an error of the multi handle, known or not, fails what is in the pool, and rebuilds that (fault 95)"
            )),
        CoveredFault(
            "101", "a file of authorities that is replaced, or cannot be read for a while", nil,
            "takes the new one for new connections, and keeps the last that could be read",
            Place(
                "AuthorityFilesTests",
                "a file is read anew when it has changed, and kept while it cannot be read")),
        CoveredFault(
            "102", "a file of cookies that is cut or damaged", nil,
            "says so, or reads what is sound; overwrites nothing that is not its own",
            Place(
                "CookieFileTests",
                "every cut and every changed byte of a file is an error or a jar, and never more"),
            Place(
                "CookieFileTests",
                "a file that is none of ours is an error, and is not overwritten")),
        CoveredFault(
            "104", "a TLS server that chooses no protocol, and several tasks at once", nil,
            "lets none of them wait for the end of another",
            Place(
                "UnchosenProtocolTests",
                "lets no task wait for the end of another, nor does one that chooses HTTP/1.1 (fault 104)"
            )),
    ]
}
