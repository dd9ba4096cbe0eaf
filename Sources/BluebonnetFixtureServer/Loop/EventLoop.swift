import Glibc

/// Accepts connections and advances them as their sockets and timers become ready.
///
/// The starting thread creates it. After that, only the server's thread uses it.
final class EventLoop {
    private enum Token {
        static let listener: UInt64 = 0
        static let wakeup: UInt64 = 1

        static func connection(_ index: Int) -> UInt64 { UInt64(index) + 2 }
    }

    private static let receiveSize = 262_144
    private static let acceptRetryDelay = 10

    private let state: ServerState
    private let listener: ListeningSocket
    private let identity: LoopbackIdentity?
    private let epoll: EpollInstance
    private let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: receiveSize, alignment: 16)
    private var connections: [UInt64: Connection] = [:]
    private var acceptedCount = 0
    private var timers = TimerQueue()
    private var isStopping = false

    init(
        state: ServerState, listener: ListeningSocket, identity: LoopbackIdentity?,
        functions: LinuxFunctions
    ) throws(FixtureServerError) {
        self.state = state
        self.listener = listener
        self.identity = identity
        epoll = try EpollInstance(functions: functions)
        guard epoll.add(listener.descriptor, events: .readable, token: Token.listener),
            epoll.add(
                state.commands.wakeup.readDescriptor, events: .readable, token: Token.wakeup)
        else { throw FixtureServerError(operation: "epoll_ctl") }
    }

    deinit {
        receiveBuffer.deallocate()
    }

    func run() {
        while !isStopping {
            let timeout = timers.earliestDeadline?.millisecondsFromNow ?? -1
            for index in 0..<epoll.wait(timeout: timeout) {
                let (events, token) = epoll.event(at: index)
                switch token {
                case Token.listener: acceptConnections()
                case Token.wakeup: performCommands()
                default: advance(token) { $0.handle(events, receiveBuffer: receiveBuffer) }
                }
            }
            let now = MonotonicTime.now
            while let timer = timers.popExpired(at: now) {
                if timer.subject == Token.listener {
                    epoll.add(listener.descriptor, events: .readable, token: Token.listener)
                } else {
                    advance(timer.subject) { $0.resume(pause: timer.generation) }
                }
            }
        }
        listener.close()
        closeConnections(reset: false) { _ in true }
        state.commands.close()
    }

    private func acceptConnections() {
        while let descriptor = listener.accept() {
            guard let stream = ConnectionStream(descriptor: descriptor, identity: identity) else {
                close(descriptor)
                continue
            }
            let connection = Connection(index: acceptedCount, stream: stream, state: state)
            let token = Token.connection(acceptedCount)
            acceptedCount += 1
            connections[token] = connection
            connection.watchedEvents = .readable
            epoll.add(descriptor, events: .readable, token: token)
            state.counters.withLockNotifying {
                $0.acceptedConnections += 1
                $0.openConnections += 1
            }
        }
        // Without free descriptors, the listener would stay readable and the loop would spin.
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
            epoll.remove(listener.descriptor)
            timers.add(
                deadline: .after(milliseconds: Self.acceptRetryDelay), subject: Token.listener,
                generation: 0)
        }
    }

    private func performCommands() {
        let commands = state.commands.takePending()
        for command in commands {
            // A command also applies to connections that were made before it but not yet accepted.
            acceptConnections()
            switch command {
            case .closeIdleConnections: closeConnections(reset: false) { $0.isIdle }
            case .resetAllConnections: closeConnections(reset: true) { _ in true }
            case .stop: isStopping = true
            case .answer(let index, let deferred, let reply):
                advance(Token.connection(index)) { $0.answer(deferred, with: reply) }
            }
        }
        state.commands.markCompleted(commands.count)
    }

    private func advance(_ token: UInt64, by turn: (Connection) -> Connection.Verdict) {
        guard let connection = connections[token] else { return }
        switch turn(connection) {
        case .keepOpen:
            let wanted = connection.wantedEvents
            if wanted != connection.watchedEvents {
                connection.watchedEvents = wanted
                epoll.modify(connection.descriptor, events: wanted, token: token)
            }
            if let pause = connection.takeRequestedPause() {
                timers.add(
                    deadline: .after(milliseconds: pause.milliseconds), subject: token,
                    generation: pause.generation)
            }
        case .close:
            end(token, reset: false)
        case .reset:
            end(token, reset: true)
        }
    }

    private func closeConnections(reset: Bool, where isChosen: (Connection) -> Bool) {
        for token in connections.filter({ isChosen($0.value) }).keys {
            end(token, reset: reset)
        }
    }

    private func end(_ token: UInt64, reset: Bool) {
        guard let connection = connections.removeValue(forKey: token) else { return }
        connection.closeSocket(reset: reset)
        state.counters.withLockNotifying { $0.openConnections -= 1 }
    }
}
