import BluebonnetTestSupport
import Foundation
import Testing

import Bluebonnet

@Suite("Robustness of XMLTree")
struct XMLTreeRobustnessTests {
    static let seeds = [
        "<?xml version='1.0' encoding='UTF-8'?><!-- c --><a x='1'><b>é &amp; &#65;</b></a>",
        "<d:r xmlns:d='DAV:' xmlns='u'><x d:y='&lt;'/><![CDATA[<z>]]><?p i?><!----></d:r>",
        "<!DOCTYPE a [<!ENTITY x 'y'><!ATTLIST a b (c|d) 'c'><!ELEMENT a (b,c)*>]><a>&x;</a>",
        "<!DOCTYPE a PUBLIC '-//X//EN' 'file:///nowhere'><a xml:id='i' xml:space='default'/>",
        "<?xml version='1.0' encoding='ISO-8859-1' standalone='yes'?><a>x<b/>y<c>z</c></a>",
        "<?xml version='1.0' encoding='UTF-16'?><feed><entry><title>T</title></entry></feed>",
    ]

    @Test("a document that is cut at any byte is an error", arguments: [0, 1, 3, 4])
    func truncation(_ seed: Int) {
        let document = Data(Self.seeds[seed].utf8)
        #expect(refusal(of: document) == nil)
        for count in 0..<document.count {
            #expect(refusal(of: document.prefix(count)) != nil, "\(count) bytes")
        }
    }

    @Test("a UTF-16 document that is cut at any byte is an error")
    func truncatedUTF16() {
        let text = "<a b='é'><!--x-->é€😀</a>"
        let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let document = Data([0xFF, 0xFE] + units)
        #expect(refusal(of: document) == nil)
        for count in 0..<document.count {
            #expect(refusal(of: document.prefix(count)) != nil, "\(count) bytes")
        }
    }

    @Test("a slice of data is parsed from its own start")
    func slice() throws {
        let data = Data("junk<a>1</a>junk".utf8)
        #expect(try XMLTree(data[4..<12]).root.text == "1")
    }

    @Test("tokens longer than the parser's chunks are complete")
    func longTokens() throws {
        for length in [3_990, 4_000, 4_010, 100_000] {
            let text = String(repeating: "é€", count: length)
            let value = String(text.prefix(20_000))
            let root = try parse("<a b='\(value)'><!--\(text)-->\(text)<![CDATA[\(text)]]></a>")
                .root
            #expect(root.text == text + text)
            #expect(root[attribute: "b"] == value)
        }
    }

    @Test("mutated documents never crash", arguments: 0..<UInt64(8))
    func fuzz(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let tokens = [
            "<", ">", "&", "]]>", "<!--", "<![CDATA[", "<!DOCTYPE a [", "<!ENTITY e 'x'>", "&e;",
            "%e;", "<?", "?>", "'", "\0", "\u{FEFF}", "xmlns:p='u' ", "<p:a>", "</a>", "&#x41;",
        ].map { Array($0.utf8) }
        var accepted = 0
        for iteration in 0..<1_000 {
            var bytes = Array(Self.seeds[iteration % Self.seeds.count].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                mutate(&bytes, tokens, &random)
            }
            if let tree = try? XMLTree(Data(bytes)) {
                accepted += 1
                #expect(readAll(tree) > 0)
            }
        }
        #expect(accepted > 20)
    }

    private func mutate(
        _ bytes: inout [UInt8], _ tokens: [[UInt8]], _ random: inout SeededGenerator
    ) {
        let index = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where index < bytes.count:
            bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1 where index < bytes.count:
            bytes[index] = UInt8.random(in: 0x61...0x7A, using: &random)
        case 2:
            bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: index)
        case 3:
            bytes.removeSubrange(index..<min(bytes.count, index + 3))
        default:
            let end = min(bytes.count, index + Int.random(in: 0...20, using: &random))
            bytes.insert(contentsOf: bytes[index..<end], at: index)
        }
    }

    @Test("eight threads read one tree and parse others at the same time")
    func threads() throws {
        let items = (0..<200).map { "<i:item xmlns:i='u' n='\($0)'>text <b>\($0)</b></i:item>" }
        let document = "<list>\(items.joined())</list>"
        let tree = try parse(document)
        let expected = readAll(tree)
        let group = DispatchGroup()
        let results = Results()
        for _ in 0..<8 {
            group.enter()
            Thread {
                for _ in 0..<20 {
                    results.append(readAll(tree))
                    results.append((try? parse(document)).map(readAll) ?? 0)
                    results.append(refusal(of: "<a>&x;</a>") == nil ? 0 : expected)
                }
                group.leave()
            }.start()
        }
        group.wait()
        #expect(results.all == Array(repeating: expected, count: 8 * 20 * 3))
    }
}

private final class Results: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [Int] = []

    func append(_ value: Int) {
        lock.withLock { values.append(value) }
    }

    var all: [Int] {
        lock.withLock { values }
    }
}
