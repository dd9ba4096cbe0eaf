import Bluebonnet

/// A copy of the settings of a `JSONEncoder`.
struct JSONEncoderSettings: Sendable {
    private let outputFormatting: JSONEncoder.OutputFormatting
    private let dates: JSONEncoder.DateEncodingStrategy
    private let data: JSONEncoder.DataEncodingStrategy
    private let nonConformingFloats: JSONEncoder.NonConformingFloatEncodingStrategy
    private let keys: JSONEncoder.KeyEncodingStrategy
    private let userInfo: [CodingUserInfoKey: any Sendable]

    /// Whether the library's own writer writes the same text.
    private let areOwn: Bool

    init(of encoder: JSONEncoder) {
        outputFormatting = encoder.outputFormatting
        dates = encoder.dateEncodingStrategy
        data = encoder.dataEncodingStrategy
        nonConformingFloats = encoder.nonConformingFloatEncodingStrategy
        keys = encoder.keyEncodingStrategy
        userInfo = encoder.userInfo
        areOwn =
            if case (.deferredToDate, .base64, .throw, .useDefaultKeys) = (
                dates, data, nonConformingFloats, keys
            ) { userInfo.isEmpty && !outputFormatting.contains(.prettyPrinted) } else { false }
    }

    /// Returns the JSON of a value, with sorted keys and without escaped slashes.
    func data(encoding value: some Encodable) throws -> Data {
        if areOwn, let data = try? JSONFragment.data(of: value, .jsonEncoder, []) { return data }
        // Encoded again if the own writer fails, for the value or the error of `JSONEncoder`.
        return try makeEncoder().encode(value)
    }

    /// Returns a new encoder for a value, because its settings can change while another thread uses it.
    private func makeEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = outputFormatting.union([.sortedKeys, .withoutEscapingSlashes])
        encoder.dateEncodingStrategy = dates
        encoder.dataEncodingStrategy = data
        encoder.nonConformingFloatEncodingStrategy = nonConformingFloats
        encoder.keyEncodingStrategy = keys
        encoder.userInfo = userInfo
        return encoder
    }
}

extension ParameterStyle {
    fileprivate static let jsonEncoder = ParameterStyle(followsJSONEncoder: true)
}
