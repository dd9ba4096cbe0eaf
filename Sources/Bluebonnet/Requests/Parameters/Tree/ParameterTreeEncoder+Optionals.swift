// The standard library's defaults skip nil. A generic function does not replace the defaults of the
// scalar types, so each type has its own function here.
extension ParameterTreeEncoder.KeyedContainer {
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
        try encode(optional: value, forKey: key)
    }

    private func encode(optional value: (some Encodable)?, forKey key: Key) throws {
        if let value {
            try encode(value, forKey: key)
        } else if encoder.state.options.keepsNil {
            try encodeNil(forKey: key)
        }
    }
}
