import Foundation

@testable import Bluebonnet

/// The property that a text gives the same value, or fails in the same way, as with `JSONDecoder`.
struct TypedJSONProperty {
    /// Checks an input: a byte for the type, one for the options, 16 for ``WalkedValue``, and the
    /// text.
    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let family = TypedJSONFamily.all[Int(input.byte()) % TypedJSONFamily.all.count]
        let options = input.byte()
        let program = (0..<16).map { _ in input.byte() }
        let text = Array(input.rest)
        // `JSONDecoder` guesses the encoding of other texts, and ``JSONText`` has its own property.
        guard text.count >= 2, text[0] < 0x80, text[0] != 0, text[1] != 0 else { return }
        // `JSONDecoder` rejects some zeros with an exponent.
        guard !String(decoding: text, as: UTF8.self).lowercased().contains("0e") else { return }
        let decoder = decoder(options)
        decoder.userInfo[.program] = program
        try family.check(decoder, text)
    }

    private static func decoder(_ options: UInt8) -> JSONDecoder {
        let decoder = JSONDecoder()
        if options & 1 != 0 { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        switch options >> 1 & 7 {
        case 1: decoder.dateDecodingStrategy = .secondsSince1970
        case 2: decoder.dateDecodingStrategy = .millisecondsSince1970
        case 3: decoder.dateDecodingStrategy = .iso8601
        case 4:
            decoder.dateDecodingStrategy = .custom {
                let text = try $0.singleValueContainer().decode(String.self)
                return Date(timeIntervalSince1970: Double(text.utf8.count + $0.codingPath.count))
            }
        default: break
        }
        switch options >> 4 & 3 {
        case 1: decoder.dataDecodingStrategy = .deferredToData
        case 2:
            decoder.dataDecodingStrategy = .custom {
                Data(try $0.singleValueContainer().decode(String.self).utf8)
            }
        default: break
        }
        if options & 64 != 0 {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return decoder
    }

    /// The result of decoding a text.
    enum Outcome: Equatable {
        case value(String)
        case failure(kind: String, path: [String])
        /// The text is not JSON.
        case refused
    }

    static func compare<T: Decodable>(
        _ type: T.Type, _ decoder: JSONDecoder, _ text: [UInt8], _ show: (T) -> String
    ) throws {
        let theirs = outcome(show) { try decoder.decode(type, from: Data(text)) }
        // A parser that is not kept reveals values that outlive it.
        let parsers =
            text.count % 8 == 0
            ? JSONParserPool(
                maximumCount: 0, maximumCapacity: 0, maximumDepth: TypedJSONReader.maximumDepth - 1)
            : TypedJSONReader.parsers
        let ours = outcome(show) {
            try TypedJSONReader(decoder, parsers: parsers).value(type, of: JSONText(Data(text)))
        }
        if ours == theirs { return }
        let isJSON = (try? JSONReference.value(of: text, maximumDepth: 512)) != nil
        switch (ours, theirs) {
        // `JSONDecoder` does not check all of a text and accepts some texts that are not JSON.
        case (.refused, _) where !isJSON: return
        // `JSONDecoder` does not locate a number that does not fit.
        case (.failure("dataCorrupted", _), .failure("dataCorrupted", [])): return
        case (.failure(_, let path), .failure(_, let other))
        where isOrderRandom(type) || (path.first == "members" && other.first == "members"):
            return
        default:
            throw FuzzViolation(
                description: """
                    \(type) of \(String(decoding: text, as: UTF8.self)): \(ours), but JSONDecoder: \
                    \(theirs)
                    """)
        }
    }

    /// Returns whether the first of several faults can vary.
    ///
    /// The members of dictionaries are read in any order.
    private static func isOrderRandom(_ type: any Any.Type) -> Bool {
        "\(type)".contains("Dictionary")
    }

    private static func outcome<T>(
        _ show: (T) -> String, _ decode: () throws -> T
    ) -> Outcome {
        do {
            return .value(show(try decode()))
        } catch let error as DecodingError {
            return .failure(kind: error.kind, path: error.context.codingPath.map(\.stringValue))
        } catch {
            return .refused
        }
    }
}

extension CodingUserInfoKey {
    /// The program of ``WalkedValue``, in bytes.
    static var program: Self {
        guard let key = Self(rawValue: "program") else { preconditionFailure("not a valid key") }
        return key
    }
}

extension DecodingError {
    var kind: String {
        switch self {
        case .typeMismatch: "typeMismatch"
        case .valueNotFound: "valueNotFound"
        case .keyNotFound: "keyNotFound"
        case .dataCorrupted: "dataCorrupted"
        @unknown default: "other"
        }
    }

    var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context
        @unknown default: Context(codingPath: [], debugDescription: "")
        }
    }
}
