import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

// Compares what the queue serves with the list.
extension ConnectionQueueModel {
    /// Serves until no exchange can be served, as a connection pool does.
    mutating func admit() {
        let isReady = line.mayHaveNext
        noteWaiting()
        var isAnyServed = false
        while fault == nil {
            let needs = Self.numbers.map { need($0) }
            let bounds = Self.numbers.map { first($0)?.priority ?? -1 }
            guard let transfer = line.next() else { break }
            isAnyServed = true
            serve(transfer, needs, bounds)
            noteWaiting()
        }
        expect(isReady || !isAnyServed, "somebody is served, and the line had nobody ready")
        for host in Self.numbers {
            let need = need(host)
            expect(
                !isServable(need, host),
                "\(name(host)) waits for a \(need.map { "\($0)" } ?? "") that is there")
        }
        forgetHosts()
    }

    /// Records an exchange that was served without having been in the queue.
    mutating func noteLetIn(_ transfer: CurlTransfer, _ host: Int) {
        noteWaiting()
        let isElsewhere = waiting.contains { $0.host != host && isServable(need($0.host), $0.host) }
        expect(!isElsewhere, "\(transfer.number) is let in while others could be served")
        let needs = Self.numbers.map { need($0) }
        let bounds = Self.numbers.map { first($0)?.priority ?? -1 }
        serve(transfer, needs, bounds)
        noteWaiting()
    }

    private mutating func serve(
        _ transfer: CurlTransfer, _ needs: [ConnectionQueue.Need?], _ bounds: [Float]
    ) {
        guard let index = waiting.firstIndex(where: { $0.transfer === transfer }) else {
            return expect(false, "somebody is served who does not wait")
        }
        let host = waiting[index].host
        let share = self.share(host)
        note("served: \(transfer.number) of \(name(host))")
        expect(
            transfer.stage == .waiting && !transfer.pauses.isSuspended, "a suspended one is served")
        expect(
            first(host, isSuspended: false) === transfer, "not the first of \(name(host)) is served"
        )
        let need = needs[host]
        expect(
            isServable(need, host),
            "\(name(host)) is served, which needs \(need.map { "\($0)" } ?? "nothing")")
        expectNobodyBefore(host, need, needs, bounds)
        let servable = Self.numbers.filter { isServable(needs[$0], $0) }
        waiting.remove(at: index)
        denied.remove(transfer.number)
        let isLookingUp = need == .lookUp
        expect(transfer.isLookingUp == isLookingUp, "who is served looks up, or does not")
        active.append((transfer, host, isLookingUp))
        transfer.stage = .active
        expectLimits(host, need)
        noteServed(host, need, bound: bounds[host], share: share, servable)
    }

    private func expectLimits(_ host: Int, _ need: ConnectionQueue.Need?) {
        guard need != .stream else { return }
        let count = connectionCount(host, active: activeCount(host))
        expect(count <= limits.connectionsPerHost, "\(name(host)) has \(count) connections")
        expect(connectionCount <= limits.connections, "there are \(connectionCount) connections")
        expect(lookUpCount <= limits.lookUps, "there are \(lookUpCount) look-ups")
    }

    /// Expects that no other host should have been served first.
    ///
    /// No servable host had fewer connections, or as many and an exchange of a higher priority.
    /// Streams are served before connections. Exchanges that waited for a look-up have precedence
    /// and are not checked here.
    private func expectNobodyBefore(
        _ host: Int, _ need: ConnectionQueue.Need?, _ needs: [ConnectionQueue.Need?],
        _ bounds: [Float]
    ) {
        let bound = bounds[host]
        for other in Self.numbers where other != host {
            let otherNeed = needs[other]
            guard isServable(otherNeed, other),
                let priority = first(other, isSuspended: false)?.priority
            else { continue }
            if otherNeed == .stream {
                expect(
                    need == .stream,
                    "\(name(host)) is served before \(name(other)), which needs a stream")
            }
            guard (need == .stream) == (otherNeed == .stream), need != .lookUp else { continue }
            let (share, otherShare) =
                need == .stream ? (0, 0) : (self.share(host), self.share(other))
            expect(
                share < otherShare || (share == otherShare && priority <= bound),
                """
                \(name(host)) with \(share) at \(bound) is served before \(name(other)) with \
                \(otherShare) at \(priority)
                """)
        }
    }

    // MARK: Turns

    /// Records which hosts wait for a connection, and since when.
    private mutating func noteWaiting() {
        for host in Self.numbers {
            let need = need(host)
            guard hosts[host] != nil, need != hosts[host]?.need || need != .connection else {
                continue
            }
            hosts[host]?.need = need
            hosts[host]?.servedMeanwhile = []
        }
    }

    /// Expects that no host gets two turns while another, equally urgent and with no more
    /// connections, waits and could be served.
    private mutating func noteServed(
        _ host: Int, _ need: ConnectionQueue.Need?, bound: Float, share: Int, _ servable: [Int]
    ) {
        hosts[host]?.servedMeanwhile = []
        hosts[host]?.need = nil
        guard need == .connection else { return }
        for other in servable where other != host && hosts[other]?.need == .connection {
            guard let priority = first(other, isSuspended: false)?.priority, priority >= bound,
                self.share(other) <= share
            else { continue }
            let isNew = hosts[other]?.servedMeanwhile.insert(host).inserted
            expect(isNew != false, "\(name(host)) has two turns while \(name(other)) waits")
        }
    }

    /// Forgets hosts without exchanges that have never answered.
    private mutating func forgetHosts() {
        for host in Self.numbers where hosts[host]?.hasAnswered == false {
            let isThere =
                active.contains { $0.host == host }
                || waiting.contains { $0.host == host && $0.transfer.stage == .waiting }
            if !isThere { hosts[host] = nil }
        }
    }
}
