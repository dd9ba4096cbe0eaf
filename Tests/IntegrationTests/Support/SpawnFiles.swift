import Foundation
import Glibc

/// Where a child's output goes.
struct SpawnFiles: Sendable {
    let output: String
    let errors: String?
}

/// `posix_spawn_file_actions_addclosefrom_np`, which Swift does not import: an extension of glibc.
private func closeFrom(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ descriptor: Int32
) -> Int32 {
    typealias Function =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return ENOSYS }
    // unsafe: the type is the one that glibc's manual gives for this name.
    return unsafeBitCast(symbol, to: Function.self)(actions, descriptor)
}

/// Starts a program by its path, as the leader of a group, with no signal blocked or ignored.
func spawn(_ words: [String], environment: [String], _ files: SpawnFiles) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_APPEND
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, files.output, flags, 0o600)
    if let errors = files.errors {
        posix_spawn_file_actions_addopen(&actions, 2, errors, flags, 0o600)
    } else {
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }
    guard closeFrom(&actions, 3) == 0 else { throw ServerFailure("the child cannot close files") }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let options = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(options))

    var argv = words.map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    var envp = environment.map { strdup($0) } + [nil]
    defer { envp.forEach { free($0) } }
    var identifier: pid_t = 0
    let number = posix_spawn(&identifier, words[0], &actions, &attributes, &argv, &envp)
    guard number == 0 else {
        throw ServerFailure("\(words[0]) did not start: \(String(cString: strerror(number)))")
    }
    return identifier
}
