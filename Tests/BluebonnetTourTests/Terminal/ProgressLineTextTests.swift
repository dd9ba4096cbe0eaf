import Foundation
import Testing

@testable import BluebonnetTour

@Suite("The text of a progress line")
struct ProgressLineTextTests {
    private static let mebibyte: Int64 = 1_048_576

    private let halfway = ProgressLineText(
        name: "bluebonnet.tar", completed: 21 * Self.mebibyte, total: 50 * Self.mebibyte,
        bytesPerSecond: Double(4 * Self.mebibyte), elapsed: .seconds(5))

    @Test("a wide line has name, percentage, bar, bytes, rate and time left")
    func wide() {
        #expect(
            halfway.text(width: 120, usesUTF8: false)
                == "bluebonnet.tar   42%  [###############-----------------------]"
                + "   21.0 MiB/50.0 MiB    4.0 MiB/s  ETA 0:08")
        #expect(
            halfway.text(width: 30, usesUTF8: true) == "bluebonnet…   42%  ████░░░░░░")
    }

    @Test("a narrower line drops time, rate, bytes, bar and name, in that order")
    func narrow() {
        var line = halfway
        line.name = "file"
        func parts(_ width: Int) -> [Bool] {
            let text = line.text(width: width, usesUTF8: false)
            return ["42%", "file", "[", "21.0 MiB/50.0 MiB", "4.0 MiB/s", "ETA"]
                .map { text.contains($0) }
        }
        let counts = (0...100).map { parts($0).count { $0 } }
        #expect(counts == counts.sorted())
        #expect(Set(counts) == [0, 1, 2, 3, 4, 5, 6])
        for width in 0...100 {
            let kept = parts(width).prefix { $0 }.count
            #expect(kept == counts[width], "at \(width) columns a part before the last is missing")
        }
    }

    @Test(
        "no line reaches the last column, whatever its values",
        arguments: ["", "file", "日本語のファイル名.tar.gz", "👩‍👩‍👧‍👦 family 🇪🇺", "e\u{301}\u{302}\u{303}clair"])
    func neverWraps(name: String) {
        let counts: [Int64] = [.min, -1, 0, 1, 999, 1_000_000, .max]
        for completed in counts {
            for total in counts.map(Optional.some) + [nil] {
                for rate in [nil, 0, 1, 1e9, .infinity, .nan, -.infinity] as [Double?] {
                    let line = ProgressLineText(
                        name: name, completed: completed, total: total, bytesPerSecond: rate,
                        elapsed: .seconds(1_000_000))
                    for width in [-1, 0, 1, 5, 6, 17, 30, 44, 61, 79, 200] {
                        for usesUTF8 in [true, false] {
                            let text = line.text(width: width, usesUTF8: usesUTF8)
                            let shown = TerminalText(text, usesUTF8: true)
                            if shown.columns > max(width - 1, 0) || shown.text != text {
                                Issue.record("\(shown.columns) of \(width) columns: \(text)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("the percentage is 100 only when all is there, and an empty body is all there")
    func percentage() {
        func text(_ completed: Int64, of total: Int64) -> String {
            var line = halfway
            (line.name, line.completed, line.total) = ("", completed, total)
            return line.text(width: 6, usesUTF8: false)
        }
        #expect(text(9_999, of: 10_000) == " 99%")
        #expect(text(10_000, of: 10_000) == "100%")
        #expect(text(20_000, of: 10_000) == "100%")
        #expect(text(0, of: 10_000) == "  0%")
        #expect(text(0, of: 0) == "100%")
    }

    @Test("without a total, bytes and rate stay and a mark moves back and forth")
    func unknownTotal() {
        var line = halfway
        line.total = nil
        line.name = "file"
        let text = line.text(width: 46, usesUTF8: false)
        #expect(text == "file  [----------###]   21.0 MiB    4.0 MiB/s")
        let bars = (0..<12).map { step in
            ProgressBarText(columns: 8, usesUTF8: false).moving(step: step)
        }
        #expect(
            bars.prefix(7) == [
                "[###---]", "[-###--]", "[--###-]", "[---###]", "[--###-]", "[-###--]", "[###---]",
            ])
        #expect(bars.allSatisfy { $0.count == 8 })
        line.elapsed += .milliseconds(100)
        #expect(line.text(width: 46, usesUTF8: false) != text)
    }

    @Test("the time left is unknown without a rate; a finished line tells the time it took")
    func times() {
        func time(_ change: (inout ProgressLineText) -> Void) -> String? {
            var line = halfway
            change(&line)
            let text = line.text(width: 150, usesUTF8: false)
            return text.range(of: #"(ETA|in) [0-9:-]+$"#, options: .regularExpression)
                .map { String(text[$0]) }
        }
        #expect(time { $0.bytesPerSecond = nil } == "ETA --:--")
        #expect(time { $0.bytesPerSecond = 0 } == "ETA --:--")
        #expect(time { $0.bytesPerSecond = 1e-300 } == "ETA --:--")
        #expect(time { $0.bytesPerSecond = 5000 } == "ETA 1:41:22")
        #expect(time { $0.completed = $0.total ?? 0 } == "ETA 0:00")
        func taken(_ time: Duration) -> Bool {
            var line = halfway
            (line.elapsed, line.isFinished) = (time, true)
            return line.text(width: 150, usesUTF8: false).hasSuffix("  in \(texts[time] ?? "?")")
        }
        let texts: [Duration: String] = [
            .seconds(3_661): "1:01:01", .seconds(60): "1:00", .milliseconds(59_940): "59.9 s",
            .milliseconds(1000): "1.0 s", .milliseconds(999): "999 ms", .zero: "1 ms",
        ]
        for time in texts.keys { #expect(taken(time)) }
    }

    @Test("a finished line tells the size once, unless less came than was announced")
    func finishedSize() {
        var line = halfway
        line.isFinished = true
        #expect(line.text(width: 150, usesUTF8: false).contains("21.0 MiB/50.0 MiB"))
        line.completed = 50 * Self.mebibyte
        #expect(line.text(width: 150, usesUTF8: false).contains("]   50.0 MiB    4.0 MiB/s"))
    }

    @Test("bytes are in binary units, in nine columns at most")
    func bytes() {
        let texts: [(Int64, String)] = [
            (-5, "0 B"), (0, "0 B"), (999, "999 B"), (1000, "1.0 KiB"), (1536, "1.5 KiB"),
            (1_023_897, "999.9 KiB"), (1_023_949, "1.0 MiB"), (.max, "8.0 EiB"),
        ]
        for (bytes, text) in texts { #expect(ByteCountText.text(bytes) == text) }
    }
}
