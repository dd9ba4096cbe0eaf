import Glibc

/// What asks a program to end at once.
package enum StopSignal: String, Sendable {
    case terminate = "TERM"
    case quit = "QUIT"
    /// Ends it in the midst of whatever it does, as a crash would.
    case kill = "KILL"

    var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .quit: SIGQUIT
        case .kill: SIGKILL
        }
    }
}
