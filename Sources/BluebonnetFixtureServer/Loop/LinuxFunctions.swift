import Glibc

/// The Linux calls that the Glibc module of the Swift toolchain does not declare.
///
/// Its module map leaves out `<sys/epoll.h>` and everything behind `_GNU_SOURCE`. Looking the
/// symbols up by name keeps this module free of a C target of its own.
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
