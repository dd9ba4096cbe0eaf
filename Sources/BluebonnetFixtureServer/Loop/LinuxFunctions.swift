import Glibc

/// The Linux functions that the toolchain's Glibc module does not declare.
///
/// The module map omits `<sys/epoll.h>` and everything that requires `_GNU_SOURCE`. Looking up the
/// symbols by name avoids a separate C target.
struct LinuxFunctions {
    typealias CreateEpoll = @convention(c) (Int32) -> Int32
    typealias ControlEpoll =
        @convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer?) -> Int32
    typealias WaitEpoll = @convention(c) (Int32, UnsafeMutableRawPointer?, Int32, Int32) -> Int32
    typealias Accept =
        @convention(c) (Int32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int32) -> Int32

    let createEpoll: CreateEpoll
    let controlEpoll: ControlEpoll
    let waitEpoll: WaitEpoll
    let accept: Accept

    static func load() throws(FixtureServerError) -> LinuxFunctions {
        LinuxFunctions(
            createEpoll: unsafeBitCast(try symbol("epoll_create1"), to: CreateEpoll.self),
            controlEpoll: unsafeBitCast(try symbol("epoll_ctl"), to: ControlEpoll.self),
            waitEpoll: unsafeBitCast(try symbol("epoll_wait"), to: WaitEpoll.self),
            accept: unsafeBitCast(try symbol("accept4"), to: Accept.self))
    }

    private static func symbol(
        _ name: String
    ) throws(FixtureServerError) -> UnsafeMutableRawPointer {
        guard let address = dlsym(nil, name) else {
            throw FixtureServerError(operation: "dlsym(\(name))", code: ENOSYS)
        }
        return address
    }
}
