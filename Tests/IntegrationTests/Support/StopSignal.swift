import Glibc

/// What asks a program to end at once.
enum StopSignal: String, Sendable {
    case terminate = "TERM"
    case quit = "QUIT"

    var number: Int32 { self == .terminate ? SIGTERM : SIGQUIT }
}
