import Glibc

/// The signal that makes a program end at once.
package enum StopSignal: String, Sendable {
    case terminate = "TERM"
    case quit = "QUIT"
    /// Ends the program as a crash would, whatever it is doing.
    case kill = "KILL"

    var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .quit: SIGQUIT
        case .kill: SIGKILL
        }
    }
}
