import Foundation

@testable import Bluebonnet

/// The property that a value has the same JSON as the parameters made from it, or fails in the same
/// way.
///
/// If `JSONEncoder` can be configured to write the same form, its text must also be the same.
struct EncodedJSONProperty {
    /// Checks an input, which has a byte for each of the encoder's options and then the value.
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
        let text = try? direct.get()
        if source.swallows {
            // After a failure that it ignores, a value cannot request a different container.
            if case .failure(let error) = direct, "\(error)".contains("mixes") { return }
            // There is no reference, because Foundation's encoder crashes.
            let other = try? encoder.presentData(encoding: value.withoutFailures)
            try require(text == other, "\(shown(text)), but without the failures \(shown(other))")
            // A failure that depends on the format is not ignored when parameters are made.
            if source.hasFormatFault || dates == 5 { return }
        }
        if spelling == 0, dates == 0, !source.isForeignToFoundation, !source.swallows {
            try compareWithFoundation(value)
        }
        switch (direct, byTree) {
        case (.success(let text), .success(let other)):
            try require(
                text == other, "\(shown(text)), but as parameters \(shown(other))")
        case (.failure(let error), .failure(let other)):
            // If there are several faults, the first one can differ.
            let isClear = source.faults == 1 && spelling == 0 && dates != 5 && !source.swallows
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
        foundation.dateEncodingStrategy = .iso8601
        do {
            let other = try foundation.encode(value)
            try require(text == other, "\(shown(text)), but from JSONEncoder \(shown(other))")
        } catch EncodingError.invalidValue {
            // `JSONEncoder` rejects a value that encodes nothing.
            try require(text == Data("{}".utf8), "\(shown(text)), but JSONEncoder rejects it")
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
