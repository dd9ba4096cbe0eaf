import Foundation

/// What a `JSONDecoder` says of how values are read.
struct JSONDecodingOptions: Sendable {
    var dates = JSONDecoder.DateDecodingStrategy.deferredToDate
    var data = JSONDecoder.DataDecodingStrategy.base64
    var floats = JSONDecoder.NonConformingFloatDecodingStrategy.throw
    var convertsFromSnakeCase = false
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// The options of `JSONDecoder()`.
    static let standard = JSONDecodingOptions()

    private init() {}

    /// Nil for a decoder that only itself does justice to: one of a subclass, of another language than JSON,
    /// or with keys of its own making.
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
