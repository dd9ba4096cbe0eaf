/// A type of the standard library that is encoded without its own `encode(to:)`, with the same result.
protocol JSONDirectEncodable {
    func encodeDirectly(to place: JSONPlace) throws
}

extension Optional: JSONDirectEncodable where Wrapped: Encodable {
    func encodeDirectly(to place: JSONPlace) throws {
        if let self {
            try place.fragment.encodeSingle(self, in: place)
        } else {
            try place.fragment.encodeSingleNull(in: place)
        }
    }
}

extension Array: JSONDirectEncodable where Element: Encodable {
    @specialized(where Element == String)
    @specialized(where Element == Int)
    @specialized(where Element == Double)
    func encodeDirectly(to place: JSONPlace) throws {
        place.fragment.open(.array, at: place)
        for element in self { try place.fragment.encodeElement(element, in: place) }
    }
}

extension Dictionary: JSONDirectEncodable where Key == String, Value: Encodable {
    func encodeDirectly(to place: JSONPlace) throws {
        place.fragment.open(.dictionary, at: place)
        // In one order in every process, so that of several faults the same one is found.
        for key in keys.sorted() {
            guard let value = self[key] else { continue }
            try place.fragment.encodeMember(value, key, isData: true, in: place)
        }
    }
}
