import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("The reserve of a pool's connections")
struct ConnectionReserveTests {
    private final class Ear: ExchangeSink {
        func receive(_ report: Exchange.Report) {}
    }

    /// A queue of eight connections, four of them reserved and two of these for trials, with a
    /// clock that the test moves.
    private final class Fixture {
        let start = MonotonicInstant.now
        var seconds = 0.0
        let loop: EventLoop
        private(set) lazy var line = ConnectionQueue(
            limits: .init(
                connectionsPerHost: 4, connections: 8, streamsPerConnection: 1, lookUps: 1,
                reserve: 4, smallShare: 2, trials: 2),
            now: { [unowned self] in start.advanced(by: seconds) })
        private var all: [CurlTransfer] = []

        init() throws { loop = try EventLoop() }

        deinit { for transfer in all { line.forget(transfer) } }

        @discardableResult
        func join(_ host: String) -> CurlTransfer {
            let exchange = Exchange(method: "GET", url: "http://\(host)/", pool: pool)
            let transfer = CurlTransfer(exchange: exchange, sink: Ear(), loop: loop)
            transfer.stage = .waiting
            all.append(transfer)
            line.join(transfer, key: "http://\(host)")
            return transfer
        }

        private let pool = Exchange.Pool()

        /// The hosts that are served now.
        func served() -> [String] {
            var hosts: [String] = []
            while let transfer = line.next() {
                transfer.stage = .active
                hosts.append(String(transfer.host?.key.dropFirst(7) ?? ""))
            }
            return hosts
        }

        /// Lets a host answer an exchange, which ends.
        func answer(_ transfer: CurlTransfer) {
            line.noteAnswer(to: transfer, isMultiplexed: false)
            line.leave(transfer)
        }

        /// Joins with as many hosts as there are unreserved connections, which never answer.
        func fill() {
            for number in 0..<4 { join("slow\(number)") }
            #expect(served().count == 4)
        }
    }

    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test("hosts that never answered are tried one at a time, the newest first, up to the limit")
    func trials() {
        fixture.fill()
        for number in 0..<20 { fixture.join("new\(number)") }
        #expect(fixture.served() == ["new19"])
        fixture.seconds = 0.09
        #expect(fixture.served() == [] && !fixture.line.mayHaveNext)
        #expect(fixture.line.nextTrialTime == fixture.start.advanced(by: 0.1))
        fixture.seconds = 0.1
        #expect(fixture.line.mayHaveNext)
        #expect(fixture.served() == ["new18"])
        fixture.seconds = 0.2
        #expect(fixture.served() == [])
        #expect(fixture.line.nextTrialTime == nil)
    }

    @Test("a host that waits for long is not tried, but one that arrives then is")
    func arrivals() {
        fixture.fill()
        let tried = fixture.join("a")
        fixture.join("b")
        #expect(fixture.served() == ["b"])
        fixture.seconds = 0.6
        #expect(fixture.served() == [] && fixture.line.nextTrialTime == nil)
        fixture.join("c")
        #expect(fixture.served() == ["c"])
        #expect(tried.stage == .waiting)
    }

    @Test("a host that answers its trial gets reserved connections at once, and ends the trial")
    func answered() {
        fixture.fill()
        let first = fixture.join("healthy")
        for _ in 0..<3 { fixture.join("healthy") }
        #expect(fixture.served() == ["healthy"])
        fixture.answer(first)
        // The others are served without another trial, up to the share that counts as small.
        #expect(fixture.served() == ["healthy", "healthy"])
        fixture.seconds = 0.1
        for number in 0..<2 {
            fixture.join("new\(number)")
            #expect(fixture.served() == ["new\(number)"])
            fixture.seconds += 0.1
        }
    }

    @Test("a host that is slow to answer gets no reserved connection until it answers again")
    func slow() {
        let first = fixture.join("host")
        #expect(fixture.served() == ["host"])
        fixture.answer(first)
        let second = fixture.join("host")
        #expect(fixture.served() == ["host"])
        for number in 0..<3 { fixture.join("slow\(number)") }
        #expect(fixture.served().count == 3)
        fixture.seconds = 1.1
        fixture.join("host")
        #expect(fixture.served() == [])
        fixture.line.noteAnswer(to: second, isMultiplexed: false)
        #expect(fixture.served() == ["host"])
    }

    @Test("a trial whose exchange ends without an answer leaves room for another")
    func ended() {
        fixture.fill()
        var tried: [CurlTransfer] = []
        for number in 0..<2 {
            tried.append(fixture.join("new\(number)"))
            #expect(fixture.served() == ["new\(number)"])
            fixture.seconds += 0.1
        }
        fixture.join("late")
        #expect(fixture.served() == [])
        fixture.line.leave(tried[0])
        #expect(fixture.served() == ["late"])
    }

    @Test("an exchange that is suspended when its host is about to be tried takes no trial")
    func suspended() {
        fixture.fill()
        fixture.join("first")
        #expect(fixture.served() == ["first"])
        let transfer = fixture.join("suspended")
        #expect(fixture.served() == [] && fixture.line.nextTrialTime != nil)
        transfer.pauses.isSuspended = true
        fixture.seconds = 0.1
        #expect(fixture.served() == [] && transfer.stage == .parked)
        fixture.seconds = 0.2
        fixture.join("second")
        #expect(fixture.served() == ["second"])
    }

    @Test("exchanges whose look-ups are denied are served in their order, and their host on trial")
    func deniedLookUps() {
        for number in 0..<3 { fixture.join("slow\(number)") }
        let lookingUp = fixture.join("name")
        #expect(fixture.served().count == 4)
        #expect(fixture.line.mayLookUp(lookingUp))
        let denied = fixture.join("other")
        let later = fixture.join("other")
        #expect(fixture.served() == ["other"])
        #expect(!fixture.line.mayLookUp(denied))
        denied.stage = .waiting
        fixture.seconds = 1
        fixture.line.rejoin(denied)
        #expect(fixture.served() == [] && fixture.line.nextTrialTime == nil)
        fixture.line.addressIsKnown(to: lookingUp)
        #expect(fixture.served() == ["other"])
        #expect(denied.stage == .active && denied.isLookingUp && later.stage == .waiting)
    }

    @Test("hosts that have answered are remembered, thousands of them only as long as needed")
    func memory() throws {
        for number in 0..<3000 {
            let transfer = fixture.join("host\(number)")
            #expect(fixture.served() == ["host\(number)"])
            fixture.answer(transfer)
            #expect(fixture.served() == [])
        }
        #expect(try fixture.line.host(of: "http://host2999/").hasAnswered)
        #expect(try !fixture.line.host(of: "http://host0/").hasAnswered)
    }
}
