import Foundation

/// The state shared by all places of one encoding, which runs on one thread.
final class JSONEncodingRun {
    let style: ParameterStyle
    /// Whether the style changes the spelling of coding keys.
    let respellsKeys: Bool
    let options: JSONBodyEncoder.WritingOptions
    // Unchecked: see `JSONFragment`.
    /// The first failure in a function that cannot throw; it always fails the whole encoding.
    @exclusivity(unchecked)
    private var failure: RequestSerializationError?
    /// The number of nested `encode(to:)` calls.
    @exclusivity(unchecked)
    private var calls = 0
    @exclusivity(unchecked)
    private var spellings: [String: (key: String, spelling: String)] = [:]
    @exclusivity(unchecked)
    private var lastSerial: UInt32 = 0
    let memory: JSONEncodingMemory

    init(
        _ style: ParameterStyle, _ options: JSONBodyEncoder.WritingOptions,
        _ memory: JSONEncodingMemory
    ) {
        self.memory = memory
        self.style = style
        respellsKeys = style.respellsKeys
        self.options = options
    }

    /// Returns a serial number that no other place has.
    func makeSerial() -> UInt32 {
        lastSerial &+= 1
        return lastSerial
    }

    /// Returns the spelling of a coding key.
    func spelling(of key: String) -> String {
        // Keys that are equal as strings can differ in their bytes.
        if let known = spellings[key], known.key.utf8.elementsEqual(key.utf8) {
            return known.spelling
        }
        let spelling = style.keys.spelling(of: key)
        spellings[key] = (key, spelling)
        return spelling
    }

    func fail(_ error: RequestSerializationError) { failure = failure ?? error }

    @inline(__always)
    func check() throws(RequestSerializationError) { if let failure { throw failure } }

    /// Encodes a value with its own `encode(to:)`.
    func encode(_ value: some Encodable, to place: JSONPlace) throws {
        guard calls < ParameterTreeEncoder.maximumCalls else {
            throw place.error(
                "encode(to:) calls itself more than \(ParameterTreeEncoder.maximumCalls) levels deep"
            )
        }
        calls += 1
        defer { calls -= 1 }
        try value.encode(to: place)
        try check()
    }
}
