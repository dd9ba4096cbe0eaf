import BluebonnetTransport
import Foundation

/// Server-sent events that continue after their connection has ended (WHATWG HTML, 9.2).
///
/// ```swift
/// for try await event in api.eventSource("feed") { print(event.id, event.data) }
/// ```
///
/// Each connection is a task of its own, with the manager's interceptors. It names the last event
/// that the loop has received in the field `Last-Event-ID`. Another connection follows when a
/// response ends or breaks, or when a server cannot be reached, after a delay that its ``Policy``
/// sets. A status of 204 ends the loop. It ends with an error if the status is another one, if the
/// content type is not `text/event-stream`, or if another connection would not help, as with a
/// certificate that is not trusted.
///
/// Leaving the loop, or canceling its Swift task, ends the connection. Another loop over the same
/// source then continues after the last event. If two loops read at the same time, one of them gets
/// an error.
///
/// The deadline of a task applies to each connection. If a server sends nothing for the idle
/// timeout, not even a comment, the source connects again.
public final class EventSource: AsyncSequence, Sendable {
    /// An event of the stream.
    public typealias Element = ServerSentEvent
    /// The error that ends the events.
    public typealias Failure = BluebonnetError

    typealias Opening =
        @Sendable (_ lastEventID: String) async throws(BluebonnetError) -> ResponseStream

    private struct Storage {
        var state = State.idle
        var connection: Connection?
        var lastEventID: String
        var reconnectionTime: Duration?
        /// How many connections in a row, with the one under way, brought nothing.
        var failures = 0
        var isBeingRead = false
        /// The number of the loop that was made last.
        var lastLoop = 0
        /// The number of the loop that has read last.
        var loop = 0
    }

    /// When and how often it connects again.
    public let policy: Policy
    private let clock: any SessionClock
    private let open: Opening
    private let storage: Locked<Storage>
    private let stateDidChange: (@Sendable (State) -> Void)?

    init(
        policy: Policy, lastEventID: String, clock: any SessionClock,
        stateDidChange: (@Sendable (State) -> Void)?, _ open: @escaping Opening
    ) {
        (self.policy, self.clock, self.open) = (policy, clock, open)
        self.stateDidChange = stateDidChange
        storage = Locked(Storage(lastEventID: lastEventID))
    }

    /// What it does now.
    public var state: State { storage.withLock { $0.state } }

    /// The id of the last event that was read; empty if the server has not set any.
    public var lastEventID: String { storage.withLock { $0.lastEventID } }

    /// Returns an iterator over the events; its first event ends the connection of a former one.
    public func makeAsyncIterator() -> Iterator {
        let loop = storage.withLock { storage in
            storage.lastLoop += 1
            return storage.lastLoop
        }
        return Iterator(reading: Reading(source: self, loop: loop))
    }

    /// An iterator over the events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reading: Reading

        /// Returns the next event; returns nil at the end.
        ///
        /// - Throws: The error that ended the source, after which it returns nil; or
        ///   ``BluebonnetError/cancelled(_:)`` if this Swift task was canceled.
        public mutating func next() async throws(BluebonnetError) -> ServerSentEvent? {
            try await reading.source.next(in: reading.loop, isolation: nil)
        }

        /// Returns the next event, as ``next()`` does.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BluebonnetError) -> ServerSentEvent? {
            try await reading.source.next(in: reading.loop, isolation: actor)
        }
    }

    /// The loop that an iterator belongs to; releasing it ends the connection.
    fileprivate final class Reading: Sendable {
        let source: EventSource
        let loop: Int

        init(source: EventSource, loop: Int) { (self.source, self.loop) = (source, loop) }

        deinit { source.leave(loop) }
    }

    private func leave(_ loop: Int) {
        let former = storage.withLock { storage -> Connection? in
            guard storage.loop == loop else { return nil }
            storage.failures = 0
            return storage.connection.take()
        }
        guard former != nil else { return }
        withExtendedLifetime(former) {}
        change(to: .idle)
    }

    // MARK: Reading

    private func next(
        in loop: Int, isolation actor: isolated (any Actor)?
    ) async throws(BluebonnetError) -> ServerSentEvent? {
        var connection: Connection?
        switch begin(loop) {
        case .isOver: return nil
        case .isRefused:
            throw .unreadableBody(
                "another loop reads the events; use one loop for each event source", .init())
        case .reads(let current): connection = current
        }
        defer { end(connection) }
        while true {
            // Only the wait for a piece notices a cancel by itself.
            if Task.isCancelled {
                connection = nil
                throw canceled()
            }
            if let event = connection?.takeEvent() {
                note(event, of: connection)
                return event
            }
            var failure: BluebonnetError?
            do throws(BluebonnetError) {
                if var current = connection.take() {
                    if try await current.read(isolation: actor) {
                        note(nil, of: current)
                        connection = current
                        continue
                    }
                } else if let stream = try await connect() {
                    connection = Connection(
                        stream, maximumLength: policy.maximumEventLength, lastEventID: lastEventID)
                    continue
                } else {
                    change(to: .closed(nil))
                    return nil
                }
            } catch {
                failure = error
            }
            guard try await waits(after: failure) else { return nil }
        }
    }

    private enum Turn {
        case isOver, isRefused
        /// The loop reads from a connection, or from a new one.
        case reads(Connection?)
    }

    /// Takes the connection for one event, and ends that of a former loop.
    private func begin(_ loop: Int) -> Turn {
        let (former, turn) = storage.withLock { storage -> (Connection?, Turn) in
            guard !storage.isBeingRead, storage.loop <= loop else { return (nil, .isRefused) }
            if case .closed = storage.state { return (nil, .isOver) }
            let former = storage.loop < loop ? storage.connection.take() : nil
            (storage.isBeingRead, storage.loop) = (true, loop)
            return (former, .reads(storage.connection.take()))
        }
        withExtendedLifetime(former) {}
        return turn
    }

    private func end(_ connection: Connection?) {
        storage.withLock { storage in
            storage.isBeingRead = false
            storage.connection = connection
        }
    }

    /// Notes what the server has said so far.
    private func note(_ event: ServerSentEvent?, of connection: Connection?) {
        guard let connection else { return }
        storage.withLock { storage in
            storage.failures = 0
            if let id = connection.lastEventID(after: event) { storage.lastEventID = id }
            if let time = connection.framer.reconnectionTime { storage.reconnectionTime = time }
        }
    }

    private func change(to state: State) {
        storage.withLock { $0.state = state }
        stateDidChange?(state)
    }

    /// Opens a connection; returns nil after a status of 204.
    private func connect() async throws(BluebonnetError) -> ResponseStream? {
        change(to: .connecting)
        storage.withLock { $0.failures += 1 }
        let stream = try await open(lastEventID)
        if stream.head.statusCode == 204 { return nil }
        // An empty body passes the verdict with any type.
        guard stream.head.mimeType == ServerSentEvent.contentType else {
            throw .unacceptableContentType(
                stream.head.mimeType, acceptable: [ServerSentEvent.contentType],
                .init(request: stream.task.currentRequest, head: stream.head))
        }
        change(to: .open(stream.head))
        return stream
    }

    /// Waits before another connection, and returns false if it gives up after a whole response.
    private func waits(after error: BluebonnetError?) async throws(BluebonnetError) -> Bool {
        if Task.isCancelled { throw canceled() }
        if let error, !isTemporary(error) { throw closed(by: error) }
        let (failures, time) = storage.withLock { ($0.failures, $0.reconnectionTime) }
        if let most = policy.maximumFailures, failures > most {
            if let error { throw closed(by: error) }
            change(to: .closed(nil))
            return false
        }
        let retryAfter = error?.context.head.flatMap { RetryAfter($0.headers, at: clock.date) }
        let delay = policy.delay(
            afterFailures: failures, reconnectionTime: time,
            retryAfter: retryAfter.map { Duration(delayInSeconds: $0.delay) })
        change(to: .waiting(delay, error))
        await clock.sleep(for: delay)
        if Task.isCancelled { throw canceled() }
        return true
    }

    /// Whether another connection can succeed.
    private func isTemporary(_ error: BluebonnetError) -> Bool {
        switch error {
        case .transport:
            error.certificateFault == nil && error.addressDenial == nil
                && Self.temporaryCodes.contains(error.urlError.code)
        case .unacceptableStatus(let code, _): policy.retriedStatusCodes.contains(code)
        case .adaptation(_, let context), .retry(_, let context):
            // Such as a token that could not be refreshed.
            (context.underlying as? BluebonnetError).map(isTemporary) ?? false
        default: false
        }
    }

    private static let temporaryCodes: Set<URLError.Code> = [
        .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .networkConnectionLost,
        .notConnectedToInternet, .secureConnectionFailed, .timedOut,
    ]

    private func closed(by error: BluebonnetError) -> BluebonnetError {
        change(to: .closed(error))
        return error
    }

    /// Another loop can go on after a cancel.
    private func canceled() -> BluebonnetError {
        storage.withLock { $0.failures = 0 }
        change(to: .idle)
        return .cancelled(.init())
    }
}
