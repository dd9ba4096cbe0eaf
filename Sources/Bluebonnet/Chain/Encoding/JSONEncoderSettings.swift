import Foundation

/// A copy of the settings of a `JSONEncoder`.
struct JSONEncoderSettings: Sendable {
    private let outputFormatting: JSONEncoder.OutputFormatting
    private let dates: JSONEncoder.DateEncodingStrategy
    private let data: JSONEncoder.DataEncodingStrategy
    private let nonConformingFloats: JSONEncoder.NonConformingFloatEncodingStrategy
    private let keys: JSONEncoder.KeyEncodingStrategy
    private let userInfo: [CodingUserInfoKey: any Sendable]

    init(of encoder: JSONEncoder) {
        outputFormatting = encoder.outputFormatting
        dates = encoder.dateEncodingStrategy
        data = encoder.dataEncodingStrategy
        nonConformingFloats = encoder.nonConformingFloatEncodingStrategy
        keys = encoder.keyEncodingStrategy
        userInfo = encoder.userInfo
    }

    /// Returns a new encoder with the settings, which sorts the keys and does not escape `/`.
    func makeEncoder() -> JSONEncoder {
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
