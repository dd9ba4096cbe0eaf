import Foundation

extension JSONFragment {
    // MARK: Members and elements

    /// Adds a member to the object in a place.
    @inline(__always)
    func encodeMember<Value: Encodable>(
        _ value: Value, _ key: String, in place: JSONPlace
    ) throws {
        try check(place)
        let mark = mark
        var member = beginMember(key)
        do {
            if !writeSimple(value) { try encode(value, .key(key), in: place) }
        } catch {
            goBack(to: mark)
            throw error
        }
        member.end = writer.buffer.count
        members.append(member)
        places[places.count - 1].count += 1
    }

    /// Adds an element to the array in a place.
    @inline(__always)
    func encodeElement<Value: Encodable>(_ value: Value, in place: JSONPlace) throws {
        try check(place)
        let mark = mark
        let index = beginElement()
        do {
            if !writeSimple(value) { try encode(value, .index(index), in: place) }
        } catch {
            goBack(to: mark)
            throw error
        }
        places[places.count - 1].count = index + 1
    }

    func beginMember(_ key: String) -> JSONMember {
        let last = places.count - 1
        if places[last].count > 0 { writer.buffer.append(UInt8(ascii: ",")) }
        writer.breakLine(places[last].depth + 1)
        let start = writer.buffer.count
        let isSpelled = run.respellsKeys && places[last].kind == .object
        let isPlain = isSpelled ? writer.write(run.spelling(of: key)) : writer.write(key)
        let nameEnd = writer.buffer.count
        writer.writeColon()
        if !isPlain || isSpelled { keys.append(key) }
        return JSONMember(
            start: start, nameEnd: nameEnd, end: 0, isPlain: isPlain,
            key: isPlain && !isSpelled ? nil : UInt32(truncatingIfNeeded: keys.count - 1))
    }

    @inline(__always)
    func beginElement() -> Int {
        let last = places.count - 1
        let index = places[last].count
        if index > 0 { writer.buffer.append(UInt8(ascii: ",")) }
        writer.breakLine(places[last].depth + 1)
        return index
    }

    /// Encodes a member or an element that is not simple.
    @inline(never)
    private func encode(
        _ value: some Encodable, _ step: ParameterPath.Step, in place: JSONPlace
    ) throws {
        let depth = places[places.count - 1].depth + 1
        let form = run.memory.form(of: type(of: value))
        if try writeWhole(value, form, depth: depth, { place.error($0, at: step) }) != nil {
            return
        }
        let inner = openPlace(step, depth: depth)
        try fill(inner, with: value, form)
        try closePlace(inner)
    }

    // MARK: Single values

    /// Writes null as all there is in a place.
    func encodeSingleNull(in place: JSONPlace) throws {
        try check(place)
        try beginSingle(in: place)
        writer.writeNull()
        places[places.count - 1].kind = .scalar
    }

    /// Encodes a value as all there is in a place.
    @inline(__always)
    func encodeSingle<Value: Encodable>(_ value: Value, in place: JSONPlace) throws {
        try check(place)
        if places[places.count - 1].kind == .empty, writeSimple(value) {
            places[places.count - 1].kind = .scalar
        } else {
            try encodeOtherSingle(value, in: place)
        }
    }

    @inline(never)
    private func encodeOtherSingle(_ value: some Encodable, in place: JSONPlace) throws {
        let last = places.count - 1
        let form = run.memory.form(of: type(of: value))
        if form.isWhole {
            try beginSingle(in: place)
            let kind = try writeWhole(value, form, depth: places[last].depth) { place.error($0) }
            places[last].kind = kind ?? .empty
        } else {
            // It may add to the members that are there already.
            try fill(place, with: value, form)
        }
    }

    /// Takes back a single value that was there before, which the next replaces.
    private func beginSingle(in place: JSONPlace) throws {
        let last = places.count - 1
        switch places[last].kind {
        case .empty: break
        case .scalar, .complete:
            writer.buffer.truncate(to: places[last].start)
            places[last].kind = .empty
        case .array, .object, .dictionary: throw contradiction(place)
        }
    }

    // MARK: Any value

    /// Writes a value of a type that is met most; false for every other, and for numbers that JSON does not have.
    @inline(__always)
    private func writeSimple<Value>(_ value: Value) -> Bool {
        // Of these the compiler mostly knows which it is. Each is cast to itself.
        if Value.self == String.self {
            writer.write(unsafeBitCast(value, to: String.self))
        } else if Value.self == Int.self {
            writer.write(unsafeBitCast(value, to: Int.self))
        } else if Value.self == Bool.self {
            writer.write(unsafeBitCast(value, to: Bool.self))
        } else if Value.self == Double.self {
            let number = unsafeBitCast(value, to: Double.self)
            guard number.isFinite else { return false }
            writer.write(number)
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
            let number = unsafeBitCast(value, to: Float.self)
            guard number.isFinite else { return false }
            writer.write(number)
        } else {
            return false
        }
        return true
    }

    /// Writes a value of a form that is written at once; nil for every other form.
    private func writeWhole(
        _ value: some Encodable, _ form: JSONEncodingForm, depth: Int,
        _ error: (String) -> RequestSerializationError
    ) throws -> Kind? {
        switch form {
        case .scalar:
            guard let scalar = (value as? any ScalarParameter)?.scalar else { return nil }
            if let objection = scalar.objection { throw error(objection) }
            writer.write(try run.style.written(scalar, error), depth: depth)
            return .scalar
        case .parameters:
            guard let tree = (value as? Parameters)?.tree else { return nil }
            do {
                let walked = try ParameterWalk.value(of: tree, in: run.style, depth: depth)
                writer.write(walked, depth: depth)
                return walked.isScalar ? .scalar : .complete
            } catch let failure {
                throw failure.moved(below: error("").keyPath)
            }
        case .set:
            throw error(ParameterFormat.json.objection(to: .set([])) ?? "")
        case .foreignDictionary:
            throw error("\(type(of: value)) is not supported; keys must be strings")
        case .direct, .dictionary, .ordinary: return nil
        }
    }

    /// Lets a value of a form that is not written at once encode what it has.
    private func fill(
        _ place: JSONPlace, with value: some Encodable, _ form: JSONEncodingForm
    ) throws {
        switch form {
        case .direct(let type): try fill(place, with: value, as: type)
        case .dictionary:
            open(.dictionary, at: place)
            try run.encode(value, to: place)
        default: try run.encode(value, to: place)
        }
        try run.check()
    }

    private func fill<Value: Encodable, Direct: JSONDirectEncodable>(
        _ place: JSONPlace, with value: Value, as type: Direct.Type
    ) throws {
        // The form of a type has nothing but the type itself.
        try unsafeBitCast(value, to: Direct.self).encodeDirectly(to: place)
    }
}
