import Foundation

/// The settings of a `JSONDecoder` that affect values.
struct JSONDecodingOptions: Sendable {
    var dates = JSONDecoder.DateDecodingStrategy.deferredToDate
    var data = JSONDecoder.DataDecodingStrategy.base64
    var floats = JSONDecoder.NonConformingFloatDecodingStrategy.throw
    var convertsFromSnakeCase = false
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// The options of `JSONDecoder()`.
    static let standard = JSONDecodingOptions()

    private init() {}

    /// Creates options from a decoder; nil if only the decoder itself can apply its settings.
    ///
    /// Such a decoder is a subclass, reads JSON5, assumes a top-level dictionary, or has a custom
    /// key strategy.
    init?(_ decoder: JSONDecoder) {
        guard type(of: decoder) == JSONDecoder.self, !decoder.allowsJSON5,
            !decoder.assumesTopLevelDictionary
        else { return nil }
        switch decoder.keyDecodingStrategy {
        case .useDefaultKeys: break
        case .convertFromSnakeCase: convertsFromSnakeCase = true
        case .custom: return nil
        @unknown default: return nil
        }
        dates = decoder.dateDecodingStrategy
        data = decoder.dataDecodingStrategy
        floats = decoder.nonConformingFloatDecodingStrategy
        userInfo = decoder.userInfo
    }
}
