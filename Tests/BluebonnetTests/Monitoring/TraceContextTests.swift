import Bluebonnet
import Testing

@Suite("Trace context from outside", .timeLimit(.minutes(1)))
struct TraceContextTests {
    private static let traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let spanID = "00f067aa0ba902b7"
    private static let valid = "00-\(traceID)-\(spanID)-01"

    @Test("a valid traceparent is read, and written as it was")
    func reading() throws {
        let context = try #require(TraceContext(traceparent: Self.valid, tracestate: "a=1, b@c=2"))
        #expect(context.traceID == Self.traceID && context.spanID == Self.spanID)
        #expect(context.isSampled && context.traceparent == Self.valid)
        #expect(context.state == "a=1,b@c=2")
        let unsampled = "00-\(Self.traceID)-\(Self.spanID)-00"
        #expect(TraceContext(traceparent: unsampled, tracestate: nil)?.isSampled == false)
        #expect(TraceContext(traceparent: unsampled, tracestate: nil)?.traceparent == unsampled)
    }

    @Test("of the flags, those that are known are kept", arguments: ["00", "01", "02", "03"])
    func flags(flags: String) {
        let high =
            "f"
            + flags.dropFirst().replacing("0", with: "c").replacing("1", with: "d")
            .replacing("2", with: "e").replacing("3", with: "f")
        let text = "00-\(Self.traceID)-\(Self.spanID)-"
        #expect(
            TraceContext(traceparent: text + high, tracestate: nil)?.traceparent == text + flags)
    }

    @Test("a later version is read as far as it is known, and written as this one")
    func laterVersion() {
        let rest = "-\(Self.traceID)-\(Self.spanID)-01"
        for text in ["01" + rest, "cc" + rest + "-more", "fe" + rest + "-"] {
            #expect(TraceContext(traceparent: text, tracestate: nil)?.traceparent == Self.valid)
        }
    }

    @Test(
        "a traceparent that is malformed, too long or all zeros is refused",
        arguments: [
            "", "00", "garbage", valid + "-", valid + "-00", valid + " ", " " + valid,
            valid + "00", String(valid.dropLast()), valid.uppercased(),
            "ff-\(traceID)-\(spanID)-01", "01-\(traceID)-\(spanID)-01more",
            "0-\(traceID)-\(spanID)-01", "00-\(traceID)-\(spanID)-0g",
            "00-\(String(repeating: "0", count: 32))-\(spanID)-01",
            "00-\(traceID)-0000000000000000-01", "00_\(traceID)-\(spanID)-01",
            "00-\(traceID.dropLast())g-\(spanID)-01", "00-\(traceID)-\(spanID.dropLast())\u{e9}-01",
            "\u{0}0-\(traceID)-\(spanID)-01", String(repeating: "0", count: 1_000_000),
            valid + "," + valid, "00-\(traceID)-+0f067aa0ba902b7-01",
        ])
    func malformed(text: String) {
        #expect(TraceContext(traceparent: text, tracestate: nil) == nil)
    }

    @Test(
        "a tracestate that is not valid is left out, and the traceparent kept",
        arguments: [
            "a", "=1", "a=", "A=1", "a=1=2", "a=1,a=2", "a=é", "a=\u{1}", "a=1\r\nX: y", "-a=1",
            (0..<33).map { "k\($0)=1" }.joined(separator: ","),
            "k=" + String(repeating: "v", count: 257), String(repeating: "a=1,", count: 1_000_000),
        ])
    func malformedState(text: String) {
        let context = TraceContext(traceparent: Self.valid, tracestate: text)
        #expect(context?.state == "" && context?.traceparent == Self.valid)
    }

    @Test("empty members of a tracestate are left out")
    func emptyMembers() {
        let context = TraceContext(traceparent: Self.valid, tracestate: " ,a=1,\t,b=2 ,")
        #expect(context?.state == "a=1,b=2")
    }

    @Test("of a long tracestate, large members are left out first, and then the last ones")
    func longState() {
        func member(_ key: String, _ count: Int) -> String {
            key + "=" + String(repeating: "v", count: count - 2)
        }
        let small = (0..<5).map { member(String("abcde".dropFirst($0).first ?? "x"), 100) }
        let text = ([member("l", 200)] + small).joined(separator: ",")
        let state = TraceContext(traceparent: Self.valid, tracestate: text)?.state
        #expect(state == small.joined(separator: ","))
        let more = small + [member("f", 100), member("g", 5)]
        let cut = TraceContext(traceparent: Self.valid, tracestate: more.joined(separator: ","))
        #expect(cut?.state == small.joined(separator: ","))
    }

    @Test("a child has the trace, the flag and the state of its parent, and its own number")
    func child() throws {
        let parent = try #require(TraceContext(traceparent: Self.valid, tracestate: "a=1"))
        let children = (0..<1_000).map { _ in parent.makeChild() }
        #expect(Set(children.map(\.spanID)).count == 1_000)
        for child in children {
            #expect(child.traceID == parent.traceID && child.state == "a=1" && child.isSampled)
            #expect(
                TraceContext(traceparent: child.traceparent, tracestate: nil)?.spanID
                    == child.spanID)
        }
        let new = (0..<1_000).map { _ in TraceContext(isSampled: false) }
        #expect(Set(new.map(\.traceID)).count == 1_000)
        #expect(new.allSatisfy { TraceContext(traceparent: $0.traceparent, tracestate: nil) == $0 })
    }
}
