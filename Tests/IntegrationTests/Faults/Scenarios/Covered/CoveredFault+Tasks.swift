import Bluebonnet

// Cancels, pauses, hooks and the end of sessions.
extension CoveredFault {
    static let tasks = [
        CoveredFault(
            "83a", "a cancellation before the start", .cancelled,
            "sends nothing",
            Place(
                "ExactlyOnceTests",
                "a cancel before the start, and a resume after it, send nothing (S8)")),
        CoveredFault(
            "83b", "a cancellation during a DNS lookup", .cancelled,
            "ends at once, and the lookup delays no other task",
            Place(
                "CancelTests",
                "in a look-up, in a TLS handshake, inside the head: one end as cancelled (fault 83)"
            )),
        CoveredFault(
            "83c", "a cancellation while connecting, or while waiting for a connection", .cancelled,
            "ends at once",
            Place(
                "CancelTests",
                "at once, connecting, before the head, in the body, suspended: one end as cancelled"
            ),
            Place(
                "CancelTests",
                "in line, also suspended there: one end, and the server hears nothing of it")),
        CoveredFault(
            "83d", "a cancellation during the TLS handshake", .cancelled,
            "ends at once",
            Place(
                "CancelTests",
                "in a look-up, in a TLS handshake, inside the head: one end as cancelled (fault 83)"
            )),
        CoveredFault(
            "83e", "a cancellation before or inside the head", .cancelled,
            "ends at once and closes the connection",
            Place(
                "CancelTests",
                "at once, connecting, before the head, in the body, suspended: one end as cancelled"
            ),
            Place(
                "CancelTests",
                "in a look-up, in a TLS handshake, inside the head: one end as cancelled (fault 83)"
            )),
        CoveredFault(
            "83f", "a cancellation inside the body", .cancelled,
            "ends at once and closes the connection",
            Place(
                "CancelTests",
                "at once, connecting, before the head, in the body, suspended: one end as cancelled"
            )),
        CoveredFault(
            "83g", "a cancellation of a suspended task", .cancelled,
            "ends at once",
            Place(
                "CancelTests",
                "at once, connecting, before the head, in the body, suspended: one end as cancelled"
            )),
        CoveredFault(
            "83h", "a cancellation inside a hook or closure of the task", .cancelled,
            "ends once and sends nothing more",
            Place(
                "ExactlyOnceTests",
                "a cancel inside the hook that announces the start sends nothing (S8)"),
            Place(
                "CancelStormTests",
                "10,000 tasks cancelled at every stage complete once each and leave nothing behind")
        ),
        CoveredFault(
            "83i", "a second cancellation", .cancelled,
            "changes nothing",
            Place(
                "ExactlyOnceTests",
                "a cancel under way, twice (S8)")),
        CoveredFault(
            "83j", "a cancellation after the end", nil,
            "changes nothing",
            Place(
                "ExactlyOnceTests",
                "a cancel after the end changes nothing (S8)"),
            Place(
                "CancelTests",
                "after the end it changes nothing")),
        CoveredFault(
            "83k", "10,000 cancellations at every stage, some racing the completion", .cancelled,
            "ends each task once and leaves nothing behind",
            Place(
                "CancelStormTests",
                "10,000 tasks cancelled at every stage complete once each and leave nothing behind"),
            Place(
                "ExactlyOnceTests",
                "resume, suspend and cancel from many threads at once complete once, in order (S8, S9)"
            )),
        CoveredFault(
            "84a", "rapid suspend and resume calls", nil,
            "loses no byte and ends in the state of the last call",
            Place(
                "SuspendTests",
                "a storm of suspends and resumes loses no byte"),
            Place(
                "ExactlyOnceTests",
                "however suspend and resume race, the transfer ends up as the task says (S9)")),
        CoveredFault(
            "84b", "a resume after the end", nil,
            "changes nothing",
            Place(
                "ExactlyOnceTests",
                "a cancel after the end changes nothing (S8)"),
            Place(
                "CancelTests",
                "at once, connecting, before the head, in the body, suspended: one end as cancelled"
            )),
        CoveredFault(
            "84c", "an error while a suspended task resumes", .limit(.bodySize),
            "fails once, with that error",
            Place(
                "ReceiveWindowTests",
                "a failure that comes while an exchange is let go on is its end, once (fault 84)")),
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
                "sixteen handlers block, and other tasks are parsed within 50 ms each"),
            Place(
                "ChallengeTaskTests",
                "a hook that never answers holds up nothing but its task, which a cancel ends"),
            Place(
                "NotificationTests",
                "an observer on a queue that nobody drains stops no handler")),
        CoveredFault(
            "85b", "a closure that throws", .requestBody,
            "fails the task with the thrown error (hooks and handlers cannot throw)",
            Place(
                "UploadTaskTests",
                "a stream that throws, opened before, or of another length than announced is the body's failure"
            ),
            Place(
                "MultipartRequestTests",
                "what the closure throws comes out as it is")),
        CoveredFault(
            "85c", "a hook, closure or handler that uses the manager or its tasks",
            nil,
            "works as usual, because no lock is held",
            Place(
                "ReentrancyTests",
                "may use the manager, and start and cancel tasks, wherever he is told (fault 85)")),
        CoveredFault(
            "85d", "a hook or handler that ends and releases the session", .cancelled,
            "ends each active task once and releases the manager",
            Place(
                "ReentrancyTests",
                "may end the session, and let go of it, inside each of its hooks (fault 85)"),
            Place(
                "HookTests",
                "an override is still asked after the last reference went with the task in flight (C4, S23)"
            )),
        CoveredFault(
            "85e", "a hook that cancels its own task", .cancelled,
            "ends it once",
            Place(
                "ExactlyOnceTests",
                "a cancel inside the hook that announces the start sends nothing (S8)"),
            Place(
                "CancelStormTests",
                "10,000 tasks cancelled at every stage complete once each and leave nothing behind")
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
                "an override is still asked after the last reference went with the task in flight (C4, S23)"
            ),
            Place(
                "ShutDownTests",
                "a transport that is dropped ends its exchanges too")),
        CoveredFault(
            "86c", "tasks started while a session or transport shuts down", .sessionInvalidated,
            "ends each task once, whether it was sent or not",
            Place(
                "ShutDownTests",
                "exchanges started while a transport shuts down all end once"),
            Place(
                "InvalidationTests",
                "a task made or resumed afterwards fails without being sent")),
        CoveredFault(
            "98", "a redirect with an endless body", nil,
            "follows it and closes its connection",
            Place(
                "EndlessRedirectTests",
                "are followed, and their connection is closed")),
        CoveredFault(
            "99", "a server with a wrong proof of the password", .authentication,
            "fails, because it may be another server",
            Place(
                "ChallengeTaskTests",
                "a server whose proof is wrong fails the task")),
        CoveredFault(
            "100", "a server that echoes the secrets of the request", nil,
            "keeps them out of errors and notifications",
            Place(
                "EchoTests",
                "is in no text of an error, whatever it came from and whichever form it has"),
            Place(
                "EchoTests",
                "nor for any kind of task, in what a serializer says, or in a notification")),
        CoveredFault(
            "105a", "a head that arrives while its task is resumed and suspended at once", nil,
            "reads it line by line",
            Place(
                "SuspendTests",
                "a head that comes while its exchange is resumed and suspended at once is taken line by line"
            )),
        CoveredFault(
            "105b",
            "a first field with leading white space, while its task is resumed and suspended at once",
            .badResponse,
            "fails, because old versions of libcurl would write to freed memory",
            Place(
                "SuspendTests",
                "so is a first field that pretends to go on, which used handles of old versions must not see"
            )),
        CoveredFault(
            "105c", "too many trailer fields, while their task is resumed and suspended at once",
            .limit(.trailerFieldCount),
            "fails, although libcurl joins them",
            Place(
                "SuspendTests",
                "and so are trailers, whose number has a limit")),
    ]
}
