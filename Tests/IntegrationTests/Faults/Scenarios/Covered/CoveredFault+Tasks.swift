import Bluebonnet

// Cancels, pauses, hooks and the end of sessions.
extension CoveredFault {
    static let tasks = [
        CoveredFault(
            "83a", "a cancellation before the start", .cancelled,
            "sends nothing",
            Place(
                "ExactlyOnceTests",
                "a cancel before the start and a resume after it send nothing")),
        CoveredFault(
            "83b", "a cancellation during a DNS lookup", .cancelled,
            "ends at once, and the lookup delays no other task",
            Place(
                "CancelTests",
                "during a look-up, a TLS handshake or the head: one end as canceled (fault 83)"
            )),
        CoveredFault(
            "83c", "a cancellation while connecting, or while waiting for a connection", .cancelled,
            "ends at once",
            Place(
                "CancelTests",
                "at once, while connecting, before the head, in the body, suspended: one end"
            ),
            Place(
                "CancelTests",
                "in the queue, also suspended: one end, and nothing reaches the server")),
        CoveredFault(
            "83d", "a cancellation during the TLS handshake", .cancelled,
            "ends at once",
            Place(
                "CancelTests",
                "during a look-up, a TLS handshake or the head: one end as canceled (fault 83)"
            )),
        CoveredFault(
            "83e", "a cancellation before or inside the head", .cancelled,
            "ends at once and closes the connection",
            Place(
                "CancelTests",
                "at once, while connecting, before the head, in the body, suspended: one end"
            ),
            Place(
                "CancelTests",
                "during a look-up, a TLS handshake or the head: one end as canceled (fault 83)"
            )),
        CoveredFault(
            "83f", "a cancellation inside the body", .cancelled,
            "ends at once and closes the connection",
            Place(
                "CancelTests",
                "at once, while connecting, before the head, in the body, suspended: one end"
            )),
        CoveredFault(
            "83g", "a cancellation of a suspended task", .cancelled,
            "ends at once",
            Place(
                "CancelTests",
                "at once, while connecting, before the head, in the body, suspended: one end"
            )),
        CoveredFault(
            "83h", "a cancellation inside a hook or closure of the task", .cancelled,
            "ends once and sends nothing more",
            Place(
                "ExactlyOnceTests",
                "a cancel in the hook for the start sends nothing"),
            Place(
                "CancelStormTests",
                "10,000 tasks canceled at every stage complete once each and leave nothing")
        ),
        CoveredFault(
            "83i", "a second cancellation", .cancelled,
            "changes nothing",
            Place(
                "ExactlyOnceTests",
                "two cancels of a running task complete it once")),
        CoveredFault(
            "83j", "a cancellation after the end", nil,
            "changes nothing",
            Place(
                "ExactlyOnceTests",
                "a cancel after the end changes nothing"),
            Place(
                "CancelTests",
                "after the end it has no effect")),
        CoveredFault(
            "83k", "10,000 cancellations at every stage, some racing the completion", .cancelled,
            "ends each task once and leaves nothing behind",
            Place(
                "CancelStormTests",
                "10,000 tasks canceled at every stage complete once each and leave nothing"),
            Place(
                "ExactlyOnceTests",
                "concurrent calls of resume, suspend and cancel complete once, in order"
            )),
        CoveredFault(
            "84a", "rapid suspend and resume calls", nil,
            "loses no byte and ends in the state of the last call",
            Place(
                "SuspendTests",
                "a storm of suspends and resumes loses no byte"),
            Place(
                "ExactlyOnceTests",
                "after concurrent suspends and resumes, the transfer is in the task's state")),
        CoveredFault(
            "84b", "a resume after the end", nil,
            "changes nothing",
            Place(
                "ExactlyOnceTests",
                "a cancel after the end changes nothing"),
            Place(
                "CancelTests",
                "at once, while connecting, before the head, in the body, suspended: one end"
            )),
        CoveredFault(
            "84c", "an error while a suspended task resumes", .limit(.bodySize),
            "fails once, with that error",
            Place(
                "ReceiveWindowTests",
                "a failure at a resume by consumption ends the exchange once (fault 84)")),
        CoveredFault(
            "84d", "a reset while a task is suspended", .connectionLost,
            "fails when it is resumed, and the loop is idle until then",
            Place(
                "SuspendTests",
                "a suspended exchange whose server resets the connection does not keep the loop busy"
            )),
        CoveredFault(
            "85a", "a handler or async hook that is slow or never returns", nil,
            "delays only its own task, which can still be canceled",
            Place(
                "LoadTests",
                "while sixteen handlers block, other tasks are parsed within 50 ms each"),
            Place(
                "ChallengeTaskTests",
                "a hook that never answers delays only its task, which can be canceled"),
            Place(
                "NotificationTests",
                "an observer on a suspended queue does not stop handlers")),
        CoveredFault(
            "85b", "a closure that throws", .requestBody,
            "fails the task with the thrown error (hooks and handlers cannot throw)",
            Place(
                "UploadTaskTests",
                "a stream that throws, is already open, or has another length fails the body"
            ),
            Place(
                "MultipartRequestTests",
                "the closure's error is rethrown")),
        CoveredFault(
            "85c", "a hook, closure or handler that uses the manager or its tasks",
            nil,
            "works as usual, because no lock is held",
            Place(
                "ReentrancyTests",
                "every callback can use the manager, and start and cancel tasks (fault 85)")),
        CoveredFault(
            "85d", "a hook or handler that ends and releases the session", .cancelled,
            "ends each active task once and releases the manager",
            Place(
                "ReentrancyTests",
                "every hook can end the session and release it (fault 85)"),
            Place(
                "HookTests",
                "an override is called even if only the running task holds the manager"
            )),
        CoveredFault(
            "85e", "a hook that cancels its own task", .cancelled,
            "ends it once",
            Place(
                "ExactlyOnceTests",
                "a cancel in the hook for the start sends nothing"),
            Place(
                "CancelStormTests",
                "10,000 tasks canceled at every stage complete once each and leave nothing")
        ),
        CoveredFault(
            "86a",
            "a session invalidated with running, waiting, suspended and unstarted tasks",
            .cancelled,
            "ends each task once and sends no waiting request",
            Place(
                "InvalidatedTasksTests",
                "end at once, be they running, in line, suspended or not begun (fault 86)")),
        CoveredFault(
            "86b", "a manager or transport released with active tasks", nil,
            "resumed tasks retain their manager, and a released custom transport ends its exchanges",
            Place(
                "HookTests",
                "an override is called even if only the running task holds the manager"
            ),
            Place(
                "ShutDownTests",
                "a transport that is dropped ends its exchanges")),
        CoveredFault(
            "86c", "tasks started while a session or transport shuts down", .sessionInvalidated,
            "ends each task once, whether it was sent or not",
            Place(
                "ShutDownTests",
                "exchanges that start during a shutdown all end once"),
            Place(
                "InvalidationTests",
                "a task created or resumed afterward fails without being sent")),
        CoveredFault(
            "98", "a redirect with an endless body", nil,
            "follows it and closes its connection",
            Place(
                "EndlessRedirectTests",
                "the redirects are followed, and their connections are closed")),
        CoveredFault(
            "99", "a server with a wrong proof of the password", .authentication,
            "fails, because it may be another server",
            Place(
                "ChallengeTaskTests",
                "a server with a wrong proof fails the task")),
        CoveredFault(
            "100", "a server that echoes the secrets of the request", nil,
            "keeps them out of errors and notifications",
            Place(
                "EchoTests",
                "it is in no text of an error, from any source and in any form"),
            Place(
                "EchoTests",
                "it is in no text of any kind of task, of a serializer, or of a notification")),
        CoveredFault(
            "105a", "a head that arrives while its task is resumed and suspended at once", nil,
            "reads it line by line",
            Place(
                "SuspendTests",
                "a head that arrives at a simultaneous resume and suspend is taken line by line"
            )),
        CoveredFault(
            "105b",
            "a first field with leading white space, while its task is resumed and suspended at once",
            .badResponse,
            "fails, because old versions of libcurl would write to freed memory",
            Place(
                "SuspendTests",
                "a folded first field that arrives at such a moment makes the response malformed"
            )),
        CoveredFault(
            "105c", "too many trailer fields, while their task is resumed and suspended at once",
            .limit(.trailerFieldCount),
            "fails, although libcurl joins them",
            Place(
                "SuspendTests",
                "trailers that arrive at such a moment are taken, up to the limit of fields")),
        CoveredFault(
            "106a", "an error body of a download or stream that trickles on",
            .unacceptableStatus,
            "fails with the status and what came within five seconds",
            Place(
                "ErrorBodyLimitTests",
                "a refused body that trickles or stalls is cut after five seconds"),
            Place("ErrorBodyLimitTests", "the time goes on while the task is suspended")),
        CoveredFault(
            "106b", "a large error body of a download or stream", .unacceptableStatus,
            "fails with the status and the first mebibyte",
            Place(
                "ErrorBodyLimitTests",
                "the body of a refused download or stream is cut at its limit, and the error is the status"
            ),
            Place("ErrorBodyLimitTests", "retriers are asked after the cut")),
        CoveredFault(
            "106c", "a body of a redirect that trickles on", nil,
            "follows it after five seconds",
            Place(
                "ErrorBodyLimitTests",
                "a redirect whose body trickles is followed after five seconds")),
    ]
}
