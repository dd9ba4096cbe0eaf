import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

// A run, in which exchanges join, leave and change in a random order.
extension ConnectionQueueModel {
    enum Event: CaseIterable {
        case join, joinAgain, leave, forget, reorder, suspend, resume, lookUp, know, answer,
            callBack
    }

    static func run(
        seed: UInt64, logs: Bool, transfers: [CurlTransfer]
    ) throws(RandomWalks.Failure) -> Int {
        var model = ConnectionQueueModel(seed: seed, logs: logs, transfers: transfers)
        while model.steps < 400, model.fault == nil {
            model.take(Event.allCases.randomElement(using: &model.random) ?? .join)
        }
        if model.fault == nil { model.serveEverybody() }
        // The next run uses the same transfers.
        for transfer in transfers { transfer.reset() }
        guard let fault = model.fault else { return model.steps }
        throw RandomWalks.Failure(reason: fault, events: model.verdict.events)
    }

    mutating func take(_ event: Event) {
        switch event {
        case .join, .joinAgain: join()
        case .leave: pickActive().map { leave($0) }
        case .forget: if random.next() % 3 == 0 { pick(waiting).map { forget($0) } }
        case .reorder: (random.next() % 2 == 0 ? pick(waiting) : pickActive()).map { reorder($0) }
        case .suspend: pick(waiting).map { suspend($0) }
        case .resume: pick(waiting).map { resume($0) }
        case .lookUp: pickActive().map { lookUp($0) }
        case .know: pickActive().map { know($0) }
        case .answer: pickActive().map { answer($0) }
        case .callBack:
            mayAdmit.toggle()
            steps += 1
        }
        guard mayAdmit else { return expectReady() }
        admit()
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element? {
        list.isEmpty ? nil : list[Int(random.next() % UInt64(list.count))]
    }

    private mutating func pickActive() -> (transfer: CurlTransfer, host: Int)? {
        pick(active).map { ($0.transfer, $0.host) }
    }

    /// Expects that the queue reports a servable exchange while libcurl calls back, when none is
    /// served.
    private func expectReady() {
        let isSomebody = Self.numbers.contains { isServable(need($0), $0) }
        expect(!isSomebody || line.mayHaveNext, "somebody could be served, and nobody is ready")
    }

    // MARK: Events

    private mutating func join() {
        guard let transfer = idle.popLast(), let host = pick(Array(Self.numbers)) else { return }
        steps += 1
        transfer.priority = pick(Self.priorities) ?? 0.5
        note("join: \(transfer.number) with \(name(host)) at \(transfer.priority)")
        noteJoined(transfer, host)
        let url = Self.keys[host] + (pick(["", "/", "?a", ".z/", "@z"]) ?? "")
        let isHost = !url.contains("z")
        guard let queue = try? line.host(of: url) else { return expect(false, "no host of \(url)") }
        expect((queue.key == Self.keys[host]) == isHost, "\(queue.key) is the host of \(url)")
        if isHost {
            if random.next() % 2 == 0 { return joinOrStart(transfer, at: queue, host) }
            line.join(transfer, at: queue)
        } else {
            line.join(transfer, key: Self.keys[host])
        }
    }

    /// Does what a connection pool does with a new exchange.
    private mutating func joinOrStart(_ transfer: CurlTransfer, at queue: HostQueue, _ host: Int) {
        let mayHaveNext = line.mayHaveNext
        if line.admitAtOnce(transfer, at: queue) {
            expect(!mayHaveNext, "somebody is let in while others are ready")
            noteLetIn(transfer, host)
        } else {
            line.join(transfer, at: queue)
        }
    }

    private mutating func noteJoined(_ transfer: CurlTransfer, _ host: Int) {
        transfer.stage = .waiting
        waiting.append((transfer, host))
        if hosts[host] == nil { hosts[host] = Host() }
    }

    private mutating func leave(_ member: (transfer: CurlTransfer, host: Int)) {
        steps += 1
        note("leave: \(member.transfer.number)")
        active.removeAll { $0.transfer === member.transfer }
        hosts[member.host]?.waitsForLookUp = false
        line.leave(member.transfer)
        expect(!member.transfer.isLookingUp, "who has left still looks up")
        member.transfer.reset()
        idle.append(member.transfer)
    }

    private mutating func forget(_ member: (transfer: CurlTransfer, host: Int)) {
        steps += 1
        note("forget: \(member.transfer.number)")
        waiting.removeAll { $0.transfer === member.transfer }
        denied.remove(member.transfer.number)
        line.forget(member.transfer)
        expect(!member.transfer.position.isQueued, "who was forgotten is in line")
        member.transfer.reset()
        idle.append(member.transfer)
    }

    private mutating func reorder(_ member: (transfer: CurlTransfer, host: Int)) {
        steps += 1
        let priority = pick(Self.priorities) ?? 0.5
        note("reorder: \(member.transfer.number) to \(priority)")
        member.transfer.priority = priority
        line.reorder(member.transfer)
    }

    private mutating func suspend(_ member: (transfer: CurlTransfer, host: Int)) {
        steps += 1
        note("suspend: \(member.transfer.number)")
        member.transfer.pauses.isSuspended = true
    }

    private mutating func resume(_ member: (transfer: CurlTransfer, host: Int)) {
        steps += 1
        note("resume: \(member.transfer.number), \(member.transfer.stage)")
        member.transfer.pauses.isSuspended = false
        guard member.transfer.stage == .parked else { return }
        waiting.removeAll { $0.transfer === member.transfer }
        denied.remove(member.transfer.number)
        noteJoined(member.transfer, member.host)
        line.join(member.transfer, key: Self.keys[member.host])
    }

    /// Lets libcurl ask whether it may look up the name of an exchange's host.
    private mutating func lookUp(_ member: (transfer: CurlTransfer, host: Int)) {
        guard !member.transfer.isLookingUp,
            let index = active.firstIndex(where: { $0.transfer === member.transfer })
        else { return }
        steps += 1
        note("look up: \(member.transfer.number)")
        let mayLookUp = lookUpCount < limits.lookUps
        expect(line.mayLookUp(member.transfer) == mayLookUp, "the limit of look-ups is not kept")
        active[index].isLookingUp = mayLookUp
        guard !mayLookUp else { return }
        hosts[member.host]?.waitsForLookUp = true
        active.remove(at: index)
        member.transfer.stage = .waiting
        let place = waiting.prefix { denied.contains($0.transfer.number) }.count
        waiting.insert((member.transfer, member.host), at: place)
        denied.insert(member.transfer.number)
        line.rejoin(member.transfer)
    }

    private mutating func know(_ member: (transfer: CurlTransfer, host: Int)) {
        guard member.transfer.isLookingUp else { return }
        steps += 1
        note("know: \(member.transfer.number)")
        line.addressIsKnown(to: member.transfer)
        expect(!member.transfer.isLookingUp, "who knows the address still looks it up")
        hosts[member.host]?.waitsForLookUp = false
        for index in active.indices where active[index].transfer === member.transfer {
            active[index].isLookingUp = false
        }
    }

    private mutating func answer(_ member: (transfer: CurlTransfer, host: Int)) {
        // There is no response without a connection.
        know(member)
        steps += 1
        let multiplexes = random.next() % 2 == 0
        note("answer: \(name(member.host)) \(multiplexes)")
        line.noteAnswer(to: member.transfer, isMultiplexed: multiplexes)
        hosts[member.host]?.streams = multiplexes ? limits.streamsPerConnection : 1
        hosts[member.host]?.hasAnswered = true
    }

    // MARK: The end

    /// Lets all exchanges continue and end, and expects that none is left.
    private mutating func serveEverybody() {
        mayAdmit = true
        for member in waiting { resume(member) }
        admit()
        while fault == nil, let member = active.first {
            leave((member.transfer, member.host))
            admit()
        }
        expect(waiting.isEmpty, "\(waiting.count) are never served")
        expect(!line.mayHaveNext, "an empty line has somebody ready")
    }
}

extension CurlTransfer {
    /// Restores the state before any join.
    fileprivate func reset() {
        (host, position, stage) = (nil, QueuePosition(), .waiting)
        (pauses.isSuspended, isLookingUp, isAwaited) = (false, false, false)
    }
}
