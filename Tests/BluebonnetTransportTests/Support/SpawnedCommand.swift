import Foundation
import Glibc

/// A command run as a child process; Foundation's `Process` leaves a weak reference that leak
/// checkers report.
final class SpawnedCommand {
    struct Failure: Error {
        var number: Int32
    }

    private let identifier: pid_t
    let output: FileHandle

    /// Whether a command can be started.
    static func isInstalled(_ name: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { folder in
            FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)")
        }
    }

    /// Starts `/usr/bin/env` with the arguments, in a directory, with its output to be read.
    init(_ arguments: [String], in directory: URL) throws {
        let pipe = Pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForWriting.fileDescriptor, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words = (["env", "-C", directory.path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var identifier: pid_t = 0
        let number = posix_spawn(&identifier, "/usr/bin/env", &actions, nil, &words, environ)
        guard number == 0 else { throw Failure(number: number) }
        self.identifier = identifier
        output = pipe.fileHandleForReading
        try pipe.fileHandleForWriting.close()
    }

    /// Waits for the command's own end.
    func wait() {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    }

    /// Ends the command; a child may have the gentler signals blocked.
    func kill() {
        Glibc.kill(identifier, SIGKILL)
        wait()
    }
}
