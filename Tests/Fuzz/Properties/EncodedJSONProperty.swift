import Foundation

@testable import Bluebonnet

/// A value gives the same text, or fails in the same way, as the parameters that are made of it; and the same text
/// as with the toolchain's `JSONEncoder`, where that one can be told to write so.
struct EncodedJSONProperty {
    /// A byte for each of the encoder's options, then what the value is.
    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        var encoder = JSONBodyEncoder(
            writingOptions: JSONBodyEncoder.WritingOptions(rawValue: Int(input.byte() & 7)))
        let dates = input.byte() % 6
        encoder.dates =
            [
                .iso8601, .iso8601WithFractionalSeconds, .secondsSince1970, .millisecondsSince1970,
                .custom { "\($0.timeIntervalSince1970 < 0)" },
                .custom { _ in throw CancellationError() },
            ][Int(dates)]
        encoder.data = input.choice([.base64, .hexadecimal, .custom { "\($0.count)/" }])
        let spelling = input.byte() % 4
        encoder.keys =
            [.unchanged, .snakeCase, .kebabCase, .custom { $0.uppercased() }][
                Int(spelling)]
        var source = EncodedValue.Source(input)
        let value = source.value(depth: 0)
        let direct = Result { try encoder.presentData(encoding: value) }
        let byTree = Result {
            try Parameters.encoded(value).map { try encoder.data(of: $0) }
        }
        if source.swallows {
            // A type cannot do without what fails where a container is asked for.
            if case .failure(let error) = direct, "\(error)".contains("mixes") { return }
            // Foundation's encoder crashes, and parameters have an empty object.
            let other = try? encoder.presentData(encoding: value.withoutFailures)
            let text = try? direct.get()
            try require(text == other, "\(shown(text)), but without what fails \(shown(other))")
            return
        }
        if spelling == 0, dates == 0, !source.isForeignToFoundation {
            try compareWithFoundation(value)
        }
        switch (direct, byTree) {
        case (.success(let text), .success(let other)):
            try require(
                text == other, "\(shown(text)), but as parameters \(shown(other))")
        case (.failure(let error), .failure(let other)):
            // Which of several is met first may differ.
            let isClear = source.faults == 1 && spelling == 0 && dates != 5
            try require(
                "\(error)" == "\(other)" || !isClear,
                "\(error), but as parameters \(other)")
        case (.success(let text), .failure(let error)):
            throw FuzzViolation(
                description: "\(shown(text)), but as parameters \(error)")
        case (.failure(let error), .success(let text)):
            throw FuzzViolation(
                description: "\(error), but as parameters \(shown(text))")
        }
    }

    private static func compareWithFoundation(_ value: EncodedValue) throws {
        guard let text = try? JSONBodyEncoder().presentData(encoding: value) else { return }
        let foundation = JSONEncoder()
        foundation.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        foundation.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(TimestampText.text(of: date))
        }
        do {
            let other = try foundation.encode(value)
            try require(text == other, "\(shown(text)), but by JSONEncoder \(shown(other))")
        } catch EncodingError.invalidValue {
            // It refuses what encodes nothing at all.
            try require(text == Data("{}".utf8), "\(shown(text)), but JSONEncoder refuses it")
        }
    }

    private static func shown(_ text: Data?) -> String {
        text.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
    }

    private static func require(
        _ condition: Bool, _ description: @autoclosure () -> String
    ) throws {
        if !condition { throw FuzzViolation(description: description()) }
    }
}
