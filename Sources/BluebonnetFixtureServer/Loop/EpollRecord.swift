/// The memory layout and constants of `struct epoll_event` in the Linux ABI.
enum EpollRecord {
    static let closeOnExec: Int32 = 0o2000000
    static let addOperation: Int32 = 1
    static let removeOperation: Int32 = 2
    static let modifyOperation: Int32 = 3
    static let alignment = 8

    // The kernel packs the structure on x86-64 only.
    #if arch(x86_64)
    static let stride = 12
    private static let tokenOffset = 4
    #else
    static let stride = 16
    private static let tokenOffset = 8
    #endif

    static func read(from record: UnsafeMutableRawPointer) -> (events: EpollEvents, token: UInt64) {
        (
            EpollEvents(rawValue: record.loadUnaligned(as: UInt32.self)),
            record.loadUnaligned(fromByteOffset: tokenOffset, as: UInt64.self)
        )
    }

    static func write(events: EpollEvents, token: UInt64, to record: UnsafeMutableRawPointer) {
        record.storeBytes(of: events.rawValue, as: UInt32.self)
        record.storeBytes(of: token, toByteOffset: tokenOffset, as: UInt64.self)
    }
}
