/// A part of the library that reads or writes untrusted bytes, with a property that must hold.
///
/// The fuzzer searches for an input that violates the property. The tests replay the inputs in
/// `Corpus`.
enum FuzzTarget: String, CaseIterable, Sendable {
    case query
    case multipart
    case header
    case chunk
    case charset
    case xml
    case json
    case typed
    case encoded
    case plist
    case framing

    /// Checks one input, which can be any bytes.
    func check(_ bytes: [UInt8]) throws {
        switch self {
        case .query: try QueryProperty.check(bytes)
        case .multipart: try MultipartProperty.check(bytes)
        case .header: try HeaderProperty.check(bytes)
        case .chunk: try ChunkProperty.check(bytes)
        case .charset: try CharsetProperty.check(bytes)
        case .xml: try XMLProperty.check(bytes)
        case .json: try JSONProperty.check(bytes)
        case .typed: try TypedJSONProperty.check(bytes)
        case .encoded: try EncodedJSONProperty.check(bytes)
        case .plist: try PropertyListProperty.check(bytes)
        case .framing: try FramingProperty.check(bytes)
        }
    }
}
