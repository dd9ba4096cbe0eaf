/// The place of a value that encodes itself.
///
/// It takes two words, so that `any Encoder` stores it without an allocation.
struct JSONPlace: Encoder {
    let fragment: JSONFragment
    /// The index of the place among the open places of the fragment.
    let index: UInt32
    /// A number that distinguishes the place from earlier ones with the same index.
    let serial: UInt32

    var codingPath: [any CodingKey] { fragment.path(of: self).map(\.key) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONObject<Key>(opening: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { JSONArray(opening: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingleValue(place: self) }

    /// Returns an error with the path to the place, or to a value in it.
    func error(_ reason: String, at step: ParameterPath.Step? = nil) -> RequestSerializationError {
        let steps = fragment.path(of: self) + (step.map { [$0] } ?? [])
        return RequestSerializationError(keyPath: ParameterPath(steps: steps).text, reason: reason)
    }
}

extension ParameterPath.Step {
    init(_ key: any CodingKey) {
        if let index = (key as? JSONPathKey)?.intValue {
            self = .index(index)
        } else {
            self = .key(key.stringValue)
        }
    }

    var key: any CodingKey {
        switch self {
        case .key(let key): JSONPathKey(stringValue: key)
        case .index(let index): JSONPathKey(intValue: index)
        }
    }
}
