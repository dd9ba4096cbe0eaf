/// A type of the standard library that is encoded without its `encode(to:)`, with the same result.
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
        try place.fragment.begin(.array, at: place)
        for element in self { try place.fragment.encodeElement(element, in: place) }
    }
}

extension Dictionary: JSONDirectEncodable where Key: CodingKeyRepresentable, Value: Encodable {
    /// Encodes the members sorted by name, so that the first fault is the same in every process.
    func encodeDirectly(to place: JSONPlace) throws {
        try place.fragment.begin(.object, at: place)
        if Key.self == String.self {
            let members = unsafeBitCast(self, to: [String: Value].self)
            for name in members.keys.sorted() {
                guard let value = members[name] else { continue }
                try place.fragment.encodeMember(value, name, isData: true, in: place)
            }
            return
        }
        for (name, value) in try membersByName({ place.error($0) }) {
            try place.fragment.encodeMember(value, name, isData: true, in: place)
        }
    }
}
