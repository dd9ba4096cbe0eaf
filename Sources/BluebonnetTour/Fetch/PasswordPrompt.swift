import Bluebonnet
import Glibc

/// Asks for a password on the controlling terminal, without echo.
enum PasswordPrompt {
    /// Returns the password; canceling the Swift task ends the wait.
    static func password(of user: String) async throws(UsageError) -> String {
        // Standard input may be the request's body.
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else {
            throw UsageError("there is no terminal to ask for a password; give -u USER:PASSWORD")
        }
        defer { close(terminal) }
        var former = termios()
        guard tcgetattr(terminal, &former) == 0 else {
            throw UsageError("the terminal cannot hide a password; give -u USER:PASSWORD")
        }
        var silent = former
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(terminal, TCSAFLUSH, &silent)
        let shown = TerminalText(user, usesUTF8: false).text
        _ = FileWriting.write(Data("Password for \(shown): ".utf8), to: terminal)
        defer {
            tcsetattr(terminal, TCSAFLUSH, &former)
            // The line end was not echoed.
            _ = FileWriting.write(Data("\n".utf8), to: terminal)
        }
        do {
            let reader = PatientReader(descriptor: terminal, terminator: UInt8(ascii: "\n"))
            return String(decoding: try await reader.bytes(), as: UTF8.self)
        } catch {
            throw UsageError("the password could not be read: \(error.text)")
        }
    }
}
