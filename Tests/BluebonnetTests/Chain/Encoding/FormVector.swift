import BluebonnetTestSupport
import Foundation

import Bluebonnet
import BluebonnetChain

/// A value, options, and the form that `form-vectors.py` computed for them.
struct FormVector: Decodable {
    let rule: String
    let value: FormValue
    let options: Options
    let form: String?
    let refusal: String?

    static func all() throws -> [FormVector] {
        try JSONDecoder().decode([FormVector].self, from: Data(contentsOf: file("json")))
    }

    static func file(_ pathExtension: String) -> URL {
        PackageDirectory.url(
            of: "Tests/BluebonnetTests/Chain/Encoding/Vectors/form-vectors.\(pathExtension)")
    }

    struct Options: Decodable {
        let sorted: Bool?
        let arrays: String?
        let bools: String?
        let data: String?
        let dates: String?
        let keys: String?
        let paths: String?
        let nils: String?
        let spaces: String?
        let allowed: String?

        /// The encoder for the options, or nil if an option is unknown.
        var encoder: URLEncodedFormEncoder? {
            guard let arrayEncoding, let boolEncoding, let dataEncoding, let dateEncoding,
                let keyEncoding, let keyPathEncoding, let nilEncoding, let spaceEncoding
            else { return nil }
            return URLEncodedFormEncoder(
                alphabetizeKeyValuePairs: sorted ?? true,
                arrayEncoding: arrayEncoding,
                boolEncoding: boolEncoding,
                dataEncoding: dataEncoding,
                dateEncoding: dateEncoding,
                keyEncoding: keyEncoding,
                keyPathEncoding: keyPathEncoding,
                nilEncoding: nilEncoding,
                spaceEncoding: spaceEncoding,
                allowedCharacters: allowed.map { CharacterSet(charactersIn: $0) }
                    ?? .afURLQueryAllowed)
        }
    }
}

extension FormVector.Options {
    private var arrayEncoding: URLEncodedFormEncoder.ArrayEncoding? {
        switch arrays {
        case nil, "brackets": .brackets
        case "noBrackets": .noBrackets
        case "indexInBrackets": .indexInBrackets
        case "custom": .custom { "\($0)(\($1))" }
        default: nil
        }
    }

    private var boolEncoding: URLEncodedFormEncoder.BoolEncoding? {
        switch bools {
        case nil, "numeric": .numeric
        case "literal": .literal
        default: nil
        }
    }

    private var dataEncoding: URLEncodedFormEncoder.DataEncoding? {
        switch data {
        case nil, "base64": .base64
        case "deferredToData": .deferredToData
        case "custom":
            .custom { data in
                data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
        default: nil
        }
    }

    private var dateEncoding: URLEncodedFormEncoder.DateEncoding? {
        switch dates {
        case nil, "deferredToDate": .deferredToDate
        case "secondsSince1970": .secondsSince1970
        case "millisecondsSince1970": .millisecondsSince1970
        case "iso8601": .iso8601
        case "custom": .custom { "@\($0.timeIntervalSinceReferenceDate)" }
        default: nil
        }
    }

    private var keyEncoding: URLEncodedFormEncoder.KeyEncoding? {
        switch keys {
        case nil, "useDefaultKeys": .useDefaultKeys
        case "convertToSnakeCase": .convertToSnakeCase
        case "convertToKebabCase": .convertToKebabCase
        case "capitalized": .capitalized
        case "uppercased": .uppercased
        case "lowercased": .lowercased
        case "custom": .custom { "<\($0)>" }
        default: nil
        }
    }

    private var keyPathEncoding: URLEncodedFormEncoder.KeyPathEncoding? {
        switch paths {
        case nil, "brackets": .brackets
        case "dots": .dots
        case "custom": .init { "-\($0)" }
        default: nil
        }
    }

    private var nilEncoding: URLEncodedFormEncoder.NilEncoding? {
        switch nils {
        case nil, "dropKey": .dropKey
        case "dropValue": .dropValue
        case "null": .null
        case "custom": .init { "~none~" }
        default: nil
        }
    }

    private var spaceEncoding: URLEncodedFormEncoder.SpaceEncoding? {
        switch spaces {
        case nil, "percentEscaped": .percentEscaped
        case "plusReplaced": .plusReplaced
        default: nil
        }
    }
}
