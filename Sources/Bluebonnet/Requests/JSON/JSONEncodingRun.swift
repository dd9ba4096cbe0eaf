import Foundation

/// What all that encodes in each other shares: the encoding of one value is on one thread.
final class JSONEncodingRun {
    let style: ParameterStyle
    /// Whether coding keys are written in another way than they are.
    let respellsKeys: Bool
    let options: JSONBodyEncoder.WritingOptions
    // Unchecked: see `JSONFragment`.
    /// The first failure in a place that cannot throw; no type can do without what fails there.
    @exclusivity(unchecked)
    private var failure: RequestSerializationError?
    /// How many `encode(to:)` run in each other.
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

    /// A number that no other place has.
    func makeSerial() -> UInt32 {
        lastSerial &+= 1
        return lastSerial
    }

    /// How a coding key is spelled.
    func spelling(of key: String) -> String {
        // Keys that are equal may differ in their bytes.
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

    /// Lets a value encode itself.
    func encode(_ value: some Encodable, to place: JSONPlace) throws {
        guard calls < ParameterTreeEncoder.maximumCalls else {
            throw place.error(
                "encode(to:) calls itself more than \(ParameterTreeEncoder.maximumCalls) deep")
        }
        calls += 1
        defer { calls -= 1 }
        try value.encode(to: place)
        try check()
    }
}
