import Glibc

/// The events that a descriptor is watched for, or that were reported for it.
struct EpollEvents: OptionSet {
    let rawValue: UInt32

    static let readable = EpollEvents(rawValue: 0x001)
    static let writable = EpollEvents(rawValue: 0x004)
    static let error = EpollEvents(rawValue: 0x008)
    static let hangUp = EpollEvents(rawValue: 0x010)
}

/// A level-triggered epoll set.
final class EpollInstance {
    private static let capacity = 512

    private let functions: LinuxFunctions
    private let descriptor: Int32
    private let reported: UnsafeMutableRawPointer

    init(functions: LinuxFunctions) throws(FixtureServerError) {
        self.functions = functions
        descriptor = functions.createEpoll(EpollRecord.closeOnExec)
        guard descriptor >= 0 else { throw FixtureServerError(operation: "epoll_create1") }
        reported = .allocate(
            byteCount: Self.capacity * EpollRecord.stride, alignment: EpollRecord.alignment)
    }

    deinit {
        reported.deallocate()
        close(descriptor)
    }

    @discardableResult
    func add(_ target: Int32, events: EpollEvents, token: UInt64) -> Bool {
        control(EpollRecord.addOperation, target, events, token)
    }

    @discardableResult
    func modify(_ target: Int32, events: EpollEvents, token: UInt64) -> Bool {
        control(EpollRecord.modifyOperation, target, events, token)
    }

    func remove(_ target: Int32) {
        _ = control(EpollRecord.removeOperation, target, [], 0)
    }

    /// Waits up to `timeout` milliseconds, or forever if it is negative.
    ///
    /// Returns the number of events that `event(at:)` can return.
    func wait(timeout: Int32) -> Int {
        max(0, Int(functions.waitEpoll(descriptor, reported, Int32(Self.capacity), timeout)))
    }

    func event(at index: Int) -> (events: EpollEvents, token: UInt64) {
        EpollRecord.read(from: reported + index * EpollRecord.stride)
    }

    private func control(
        _ operation: Int32, _ target: Int32, _ events: EpollEvents, _ token: UInt64
    ) -> Bool {
        withUnsafeTemporaryAllocation(
            byteCount: EpollRecord.stride, alignment: EpollRecord.alignment
        ) { record in
            guard let base = record.baseAddress else { return false }
            EpollRecord.write(events: events, token: token, to: base)
            return functions.controlEpoll(descriptor, operation, target, base) == 0
        }
    }
}
