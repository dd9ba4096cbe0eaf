import Foundation

// The encoder's closures, such as one for dates, run before any part of a value is written, because
// they can write to the value's container.
extension JSONFragment {
    // MARK: Members and elements

    /// Adds a member to the object in a place; a key that is data is not respelled.
    @inline(__always)
    func encodeMember<Value: Encodable>(
        _ value: Value, _ key: String, isData: Bool = false, in place: JSONPlace
    ) throws {
        try check(place)
        guard isSimple(value) else {
            return try encodeOtherMember(value, key, isData: isData, in: place)
        }
        let member = try beginMember(key, spelled(key, isData: isData), in: place)
        writeSimple(value)
        end(member, key, in: place)
    }

    /// Adds an element to the array in a place.
    @inline(__always)
    func encodeElement<Value: Encodable>(_ value: Value, in place: JSONPlace) throws {
        try check(place)
        guard isSimple(value) else { return try encodeOtherElement(value, in: place) }
        try beginElement(in: place)
        writeSimple(value)
        places[places.count - 1].count += 1
    }

    @inline(never)
    private func encodeOtherMember<Value: Encodable>(
        _ value: Value, _ key: String, isData: Bool, in place: JSONPlace
    ) throws {
        let form = run.memory.form(of: Value.self)
        let depth = places[places.count - 1].depth + 1
        let whole = try wholeValue(value, form, depth) { place.error($0, at: .key(key)) }
        let spelling = spelled(key, isData: isData)
        let mark = mark
        let member = try beginMember(key, spelling, in: place)
        if let whole {
            writer.write(whole, depth: depth)
        } else {
            try encode(value, form, .key(key), depth, orGoBackTo: mark)
        }
        end(member, key, in: place)
    }

    @inline(never)
    private func encodeOtherElement<Value: Encodable>(
        _ value: Value, in place: JSONPlace
    ) throws {
        let form = run.memory.form(of: Value.self)
        let depth = places[places.count - 1].depth + 1
        let index = ParameterPath.Step.index(places[places.count - 1].count)
        let whole = try wholeValue(value, form, depth) { place.error($0, at: index) }
        let mark = mark
        try beginElement(in: place)
        if let whole {
            writer.write(whole, depth: depth)
        } else {
            try encode(value, form, index, depth, orGoBackTo: mark)
        }
        places[places.count - 1].count += 1
    }

    /// Lets a value encode itself in a new place, or goes back to a mark if that fails.
    private func encode(
        _ value: some Encodable, _ form: JSONEncodingForm, _ step: ParameterPath.Step,
        _ depth: Int, orGoBackTo mark: Mark
    ) throws {
        do {
            let inner = openPlace(step, depth: depth)
            try fill(inner, with: value, form)
            try closePlace(inner)
        } catch {
            goBack(to: mark)
            throw error
        }
    }

    /// Returns the spelling of a key, or nil if it is unchanged.
    @inline(__always)
    func spelled(_ key: String, isData: Bool) -> String? {
        run.respellsKeys && !isData ? run.spelling(of: key) : nil
    }

    /// Writes the text that precedes the value of a member.
    func beginMember(
        _ key: String, _ spelling: String?, in place: JSONPlace
    ) throws(RequestSerializationError) -> JSONMember {
        let last = places.count - 1
        guard places[last].kind == .object else { throw contradiction(place) }
        if places[last].count > 0 { writer.buffer.append(UInt8(ascii: ",")) }
        writer.breakLine(places[last].depth + 1)
        let start = writer.buffer.count
        let isPlain = spelling.map { writer.write($0) } ?? writer.write(key)
        let nameEnd = writer.buffer.count
        writer.writeColon()
        var number: UInt32?
        if !isPlain || spelling != nil {
            number = UInt32(truncatingIfNeeded: keys.count)
            keys.append((key, spelling ?? key))
        }
        return JSONMember(start: start, nameEnd: nameEnd, isPlain: isPlain, key: number)
    }

    @inline(__always)
    private func end(_ member: JSONMember, _ key: String, in place: JSONPlace) {
        // From now on, the member hides a fragment with the same key.
        if !nestedMembers.isEmpty {
            nestedMembers[NestedKey(object: place.serial, key: key)] = nil
        }
        var member = member
        member.end = writer.buffer.count
        members.append(member)
        places[places.count - 1].count += 1
    }

    /// Writes the text that precedes an element.
    @inline(__always)
    func beginElement(in place: JSONPlace) throws(RequestSerializationError) {
        let last = places.count - 1
        guard places[last].kind == .array else { throw contradiction(place) }
        if places[last].count > 0 { writer.buffer.append(UInt8(ascii: ",")) }
        writer.breakLine(places[last].depth + 1)
    }

    // MARK: Single values

    /// Writes null as the only value in a place.
    func encodeSingleNull(in place: JSONPlace) throws {
        try check(place)
        try beginSingle(in: place)
        writer.writeNull()
        places[places.count - 1].kind = .scalar
    }

    /// Encodes a value as the only value in a place.
    @inline(__always)
    func encodeSingle<Value: Encodable>(_ value: Value, in place: JSONPlace) throws {
        try check(place)
        guard isSimple(value) else { return try encodeOtherSingle(value, in: place) }
        try beginSingle(in: place)
        writeSimple(value)
        places[places.count - 1].kind = .scalar
    }

    @inline(never)
    private func encodeOtherSingle<Value: Encodable>(_ value: Value, in place: JSONPlace) throws {
        let form = run.memory.form(of: Value.self)
        let last = places.count - 1
        let depth = places[last].depth
        guard let whole = try wholeValue(value, form, depth, { place.error($0) }) else {
            return try encodeSingle(value, form, in: place)
        }
        try beginSingle(in: place)
        writer.write(whole, depth: depth)
        places[last].kind = whole.isScalar ? .scalar : .complete
    }

    /// Lets a value encode itself in a place, where it can add to existing members.
    private func encodeSingle(
        _ value: some Encodable, _ form: JSONEncodingForm, in place: JSONPlace
    ) throws {
        let (mark, last) = (mark, places.count - 1)
        let former = places[last]
        do {
            try fill(place, with: value, form)
        } catch {
            let kind = places[last].kind
            goBack(to: mark)
            places[last] = former
            if kind != former.kind, former.kind == .array || former.kind == .object {
                // The empty container was replaced, so it is opened again.
                writer.buffer.truncate(to: former.start)
                places[last].kind = .empty
                open(former.kind, at: place)
            }
            throw error
        }
    }

    /// Removes the text in a place that the next single value replaces.
    @inline(__always)
    private func beginSingle(in place: JSONPlace) throws {
        let last = places.count - 1
        if places[last].kind == .empty { return }
        guard places[last].count == 0 else { throw contradiction(place) }
        writer.buffer.truncate(to: places[last].start)
        places[last].kind = .empty
    }

    // MARK: Any value

    /// Returns whether a value has one of the most common types, and is finite if it is a number.
    @inline(__always)
    private func isSimple<Value>(_ value: Value) -> Bool {
        // The compiler resolves most of these comparisons. Each cast is from a type to itself.
        if Value.self == Double.self { return unsafeBitCast(value, to: Double.self).isFinite }
        if Value.self == Float.self { return unsafeBitCast(value, to: Float.self).isFinite }
        return Value.self == String.self || Value.self == Int.self || Value.self == Bool.self
            || Value.self == Int64.self || Value.self == UInt64.self || Value.self == Int32.self
            || Value.self == UInt32.self || Value.self == UInt8.self
    }

    @inline(__always)
    private func writeSimple<Value>(_ value: Value) {
        // Each cast is from a type to itself.
        if Value.self == String.self {
            writer.write(unsafeBitCast(value, to: String.self))
        } else if Value.self == Int.self {
            writer.write(unsafeBitCast(value, to: Int.self))
        } else if Value.self == Bool.self {
            writer.write(unsafeBitCast(value, to: Bool.self))
        } else if Value.self == Double.self {
            writer.write(unsafeBitCast(value, to: Double.self))
        } else if Value.self == Int64.self {
            writer.write(unsafeBitCast(value, to: Int64.self))
        } else if Value.self == UInt64.self {
            writer.write(unsafeBitCast(value, to: UInt64.self))
        } else if Value.self == Int32.self {
            writer.write(unsafeBitCast(value, to: Int32.self))
        } else if Value.self == UInt32.self {
            writer.write(unsafeBitCast(value, to: UInt32.self))
        } else if Value.self == UInt8.self {
            writer.write(unsafeBitCast(value, to: UInt8.self))
        } else if Value.self == Float.self {
            writer.write(unsafeBitCast(value, to: Float.self))
        }
    }

    /// Returns the value to write for a type that does not encode itself, or nil for other types.
    private func wholeValue<Value: Encodable>(
        _ value: Value, _ form: JSONEncodingForm, _ depth: Int,
        _ error: (String) -> RequestSerializationError
    ) throws -> ParameterValue? {
        switch form {
        case .scalar:
            guard let scalar = (value as? any ScalarParameter)?.scalar else { return nil }
            if let objection = scalar.objection { throw error(objection) }
            return try run.style.written(scalar, error)
        case .parameters:
            guard let tree = (value as? Parameters)?.tree else { return nil }
            do {
                return try ParameterWalk.value(of: tree, in: run.style, depth: depth)
            } catch let failure {
                throw failure.moved(below: error("").keyPath)
            }
        case .set: throw error(ParameterFormat.json.objection(to: .set([])) ?? "")
        case .foreignDictionary:
            throw error(RequestSerializationError.foreignKeys(of: Value.self).reason)
        case .direct, .ordinary: return nil
        }
    }

    /// Lets a value encode its content.
    private func fill(
        _ place: JSONPlace, with value: some Encodable, _ form: JSONEncodingForm
    ) throws {
        guard case .direct(let type) = form else { return try run.encode(value, to: place) }
        try fill(place, with: value, as: type)
        try run.check()
    }

    private func fill<Direct: JSONDirectEncodable>(
        _ place: JSONPlace, with value: some Encodable, as type: Direct.Type
    ) throws {
        // `.direct` holds the value's own type, so the cast is from a type to itself.
        try unsafeBitCast(value, to: Direct.self).encodeDirectly(to: place)
    }
}
