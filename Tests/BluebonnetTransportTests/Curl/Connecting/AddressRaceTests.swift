import Glibc
import Testing

@testable import BluebonnetTransport

@Suite("Racing a host's addresses (RFC 8305)")
struct AddressRaceTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    private func addresses(_ texts: String...) -> [PeerAddress] { texts.map { PeerAddress($0) } }

    private func order(_ texts: [String], slow: [String] = []) -> String {
        let slow = slow.map { PeerAddress($0) }
        return AddressRace.order(texts.map { PeerAddress($0) }) { slow.contains($0) }
            .map { "\($0)".replacing(":80", with: "") }.joined(separator: " ")
    }

    @Test(
        "the families alternate, starting with that of the first address (section 4)",
        arguments: [
            (["1.0.0.1"], "1.0.0.1"),
            (["1.0.0.1", "1.0.0.2"], "1.0.0.1 1.0.0.2"),
            (["::1", "::2", "1.0.0.1", "1.0.0.2"], "[::1] 1.0.0.1 [::2] 1.0.0.2"),
            (["1.0.0.1", "::1", "::2", "::3"], "1.0.0.1 [::1] [::2] [::3]"),
            ([], ""),
        ] as [([String], String)])
    func alternates(texts: [String], expected: String) {
        #expect(order(texts) == expected)
    }

    @Test("slow addresses are last, but not left out")
    func slow() {
        #expect(order(["1.0.0.1", "::1", "1.0.0.2"], slow: ["1.0.0.1"]) == "[::1] 1.0.0.2 1.0.0.1")
        #expect(order(["1.0.0.1", "::1"], slow: ["1.0.0.1", "::1", "::9"]) == "1.0.0.1 [::1]")
    }

    @Test("an attempt starts a quarter of a second after the previous one (section 5)")
    func delay() {
        var race = AddressRace(addresses("1.0.0.1", "1.0.0.2", "1.0.0.3"), at: start)
        #expect(race.start(at: start) == 0)
        #expect(race.start(at: start) == nil)
        #expect(race.nextStart == start.advanced(by: 0.25))
        #expect(race.start(at: start.advanced(by: 0.249)) == nil)
        #expect(race.start(at: start.advanced(by: 0.3)) == 1)
        #expect(race.nextStart == start.advanced(by: 0.55))
        #expect(race.start(at: start.advanced(by: 0.55)) == 2)
        #expect(race.nextStart == nil)
        #expect(race.start(at: start.advanced(by: 9)) == nil)
        #expect(!race.isLost)
    }

    @Test("after a failed attempt the next starts at once")
    func failing() {
        var race = AddressRace(addresses("1.0.0.1", "1.0.0.2", "1.0.0.3"), at: start)
        #expect(race.start(at: start) == 0)
        let later = start.advanced(by: 0.1)
        race.fail(0, .init(errorNumber: ECONNREFUSED), at: later)
        #expect(race.start(at: later) == 1)
        #expect(race.nextStart == later.advanced(by: 0.25))
        race.fail(1, .init(errorNumber: ENETUNREACH), at: later)
        #expect(race.start(at: later) == 2)
        #expect(!race.isLost)
        race.fail(2, .init(errorNumber: ECONNREFUSED), at: later)
        #expect(race.isLost)
        #expect(race.start(at: later) == nil)
    }

    @Test("addresses that were tried and did not win are slow")
    func losers() {
        let all = addresses("1.0.0.1", "1.0.0.2", "1.0.0.3", "1.0.0.4")
        var race = AddressRace(all, at: start)
        for step in 0..<3 { #expect(race.start(at: start.advanced(by: Double(step))) == step) }
        race.fail(0, .init(errorNumber: ECONNREFUSED), at: start)
        #expect(race.slow(besides: 1) == [all[0], all[2]])
    }

    @Test("up to 256 addresses are slow for one minute, unless they win")
    func slowness() {
        var slow = SlowAddresses()
        let all = (0..<300).map { PeerAddress("1.0.\($0 / 250).\($0 % 250)") }
        slow.note([all[0], all[1]], winner: all[2], at: start)
        #expect(slow.contains(all[0], at: start.advanced(by: 59)))
        #expect(!slow.contains(all[0], at: start.advanced(by: 60)))
        #expect(!slow.contains(all[2], at: start))
        slow.note([], winner: all[0], at: start)
        #expect(!slow.contains(all[0], at: start) && slow.contains(all[1], at: start))
        for (index, address) in all.enumerated() {
            slow.note(
                [address], winner: PeerAddress("9.9.9.9"),
                at: start.advanced(by: Double(index) / 10))
        }
        let now = start.advanced(by: 30)
        #expect(all.count { slow.contains($0, at: now) } == 256)
        #expect(slow.contains(all[299], at: now) && !slow.contains(all[0], at: now))
    }

    @Test("the attempts are described with their results")
    func description() {
        var race = AddressRace(addresses("1.0.0.1", "::1", "1.0.0.2"), at: start)
        #expect(race.start(at: start) == 0)
        race.fail(0, .init(errorNumber: ECONNREFUSED), at: start)
        #expect(race.start(at: start) == 1)
        #expect(race.attempts == "tried 1.0.0.1:80 (Connection refused), [::1]:80 (no answer)")
        var long = AddressRace((1...20).map { PeerAddress("1.0.0.\($0)") }, at: start)
        for place in 0..<20 {
            #expect(long.start(at: start) == place)
            long.fail(place, .init(errorNumber: EADDRNOTAVAIL, isOfSource: true), at: start)
        }
        #expect(long.attempts.hasSuffix(" and 12 more"))
        #expect(long.attempts.contains("1.0.0.8:80 (the route's source cannot be used: "))
    }
}
