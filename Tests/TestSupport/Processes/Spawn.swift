import Foundation
package import Glibc

private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>

/// Closes all descriptors from this one on in the child.
///
/// Swift does not import this glibc extension.
private func closeFrom(_ descriptor: Int32, _ actions: Actions) -> Int32 {
    typealias Function = @convention(c) (Actions, Int32) -> Int32
    guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return ENOSYS }
    // unsafe: the type is the one that glibc's manual gives for this name.
    return unsafeBitCast(symbol, to: Function.self)(actions, descriptor)
}

/// Changes the child's directory.
///
/// Swift does not import this glibc extension.
private func change(to directory: String, _ actions: Actions) -> Int32 {
    typealias Function = @convention(c) (Actions, UnsafePointer<CChar>) -> Int32
    guard let symbol = dlsym(nil, "posix_spawn_file_actions_addchdir_np") else { return ENOSYS }
    // unsafe: the type is the one that glibc's manual gives for this name.
    return unsafeBitCast(symbol, to: Function.self)(actions, directory)
}

/// Starts a command as the leader of a process group, with no signal blocked or ignored.
///
/// Use ``ChildProcess`` instead, unless the caller must wait for the child itself.
package func spawn(_ command: ChildCommand) throws -> pid_t {
    let words = try command.words()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch command.input {
    case .nothing: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    case .file(let name):
        let path = command.directory.path(of: name)
        posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
    case .descriptor(let descriptor):
        posix_spawn_file_actions_adddup2(&actions, descriptor, 0)
    }
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
    let output = command.directory.path(of: command.output)
    posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o600)
    if let errors = command.errors {
        let path = command.directory.path(of: errors)
        posix_spawn_file_actions_addopen(&actions, 2, path, flags, 0o600)
    } else {
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }
    guard closeFrom(3, &actions) == 0, change(to: command.directory.path, &actions) == 0 else {
        throw ServerFailure("the C library cannot close files in a child or change its directory")
    }

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
    var envp = command.variables.map { strdup($0) } + [nil]
    defer { envp.forEach { free($0) } }
    var identifier: pid_t = 0
    let number = posix_spawn(&identifier, words[0], &actions, &attributes, &argv, &envp)
    guard number == 0 else {
        throw ServerFailure("\(words[0]) did not start: \(String(cString: strerror(number)))")
    }
    return identifier
}
