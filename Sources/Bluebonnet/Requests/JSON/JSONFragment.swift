import Foundation

/// JSON text that is written from start to end, with the arrays and objects that are open in it.
///
/// A value and everything that it encodes are written to one fragment, one after the other.
/// Containers that a value keeps open at the same time have their own fragments, which are inserted
/// when the value is complete.
final class JSONFragment {
    /// The content of a place.
    enum Kind {
        case empty
        case scalar
        /// An array or an object that was written as a whole.
        case complete
        case array
        case object
    }

    /// The place of an incomplete value.
    struct OpenPlace {
        let serial: UInt32
        /// The number of arrays and objects that contain the place.
        let depth: Int
        /// The step from the enclosing place to this one.
        let step: ParameterPath.Step?
        /// The offset at which the text of the place begins.
        let start: Int
        /// The index in `members` at which the members of the place begin.
        let firstMember: Int
        /// The index in `keys` at which the keys of the place begin.
        let firstKey: Int
        /// The index in `nested` at which the nested fragments of the place begin.
        let firstNested: Int
        var kind = Kind.empty
        /// The number of members or elements in the place.
        var count = 0
    }

    /// The object and the key of a member that is a nested fragment.
    struct NestedKey: Hashable {
        /// The serial number of the object's place.
        let object: UInt32
        let key: String
    }

    /// A fragment that is inserted at an offset when the enclosing value is complete.
    struct Nested {
        let offset: Int
        let fragment: JSONFragment
        /// The key of a member; nil for an element.
        let key: NestedKey?
    }

    let run: JSONEncodingRun
    // Unchecked: run-time checks for exclusive access would double the time of encoding. One thread
    // encodes, and no access lasts while the code of a type or a closure runs.
    @exclusivity(unchecked)
    var writer: JSONWriter
    /// The open places, from the outermost to the innermost.
    @exclusivity(unchecked)
    var places: [OpenPlace] = []
    /// The members of the open objects; those of the innermost object come last.
    @exclusivity(unchecked)
    var members: [JSONMember] = []
    /// The keys and spellings of members that are respelled, or whose names are not plain.
    @exclusivity(unchecked)
    var keys: [(key: String, spelling: String)] = []
    /// The members that are nested fragments.
    @exclusivity(unchecked)
    var nestedMembers: [NestedKey: JSONFragment] = [:]
    /// The fragments nested in the open values; those of the innermost value come last.
    @exclusivity(unchecked)
    var nested: [Nested] = []
    /// The path from the root to the fragment.
    private let path: [ParameterPath.Step]

    /// Creates a fragment with an initial capacity in bytes.
    init(_ run: JSONEncodingRun, at path: [ParameterPath.Step], capacity: Int = 32) {
        self.run = run
        self.path = path
        writer = JSONWriter(run.options, capacity: capacity)
    }

    /// Returns the text of an encoded value, which must be an array or an object; nil for null.
    static func data(
        of value: some Encodable, _ style: ParameterStyle,
        _ options: JSONBodyEncoder.WritingOptions
    ) throws -> Data? {
        let memory = JSONEncodingMemory.take()
        var run = JSONEncodingRun(style, options, memory)
        defer {
            // Containers that a type has kept still use the memory.
            if isKnownUniquelyReferenced(&run) { memory.giveBack() }
        }
        return try JSONFragment(run, at: [], capacity: 256).data(of: value)
    }

    private func data(of value: some Encodable) throws -> Data? {
        places.reserveCapacity(8)
        members.reserveCapacity(16)
        let root = openPlace(nil, depth: 0)
        do {
            try encodeSingle(value, in: root)
            let kind = places.last?.kind
            try closePlace(root)
            guard kind == .scalar else { return writer.buffer.take() }
        } catch EncodingError.invalidValue(_, let context) {
            throw RequestSerializationError(
                keyPath: ParameterPath(steps: context.codingPath.map { .init($0) }).text,
                reason: context.debugDescription)
        }
        if writer.buffer.written.elementsEqual("null".utf8) { return nil }
        throw RequestSerializationError(
            reason: ParameterFormat.json.objection(toRoot: .bool(true)) ?? "")
    }

    // MARK: Places

    /// Opens the place of a value at a depth of nested arrays and objects.
    func openPlace(_ step: ParameterPath.Step?, depth: Int) -> JSONPlace {
        let place = JSONPlace(
            fragment: self, index: UInt32(truncatingIfNeeded: places.count),
            serial: run.makeSerial()
        )
        places.append(
            OpenPlace(
                serial: place.serial, depth: depth, step: step, start: writer.buffer.count,
                firstMember: members.count, firstKey: keys.count, firstNested: nested.count))
        return place
    }

    /// Returns whether the place is the innermost open place.
    @inline(__always)
    func isInnermost(_ place: JSONPlace) -> Bool {
        places.count == Int(place.index) + 1 && places[places.count - 1].serial == place.serial
    }

    /// Throws an error if the place cannot be written to.
    @inline(__always)
    func check(_ place: JSONPlace) throws(RequestSerializationError) {
        try run.check()
        guard isInnermost(place) else { throw outOfTurn(place) }
    }

    func outOfTurn(_ place: JSONPlace) -> RequestSerializationError {
        place.error("encode(to:) uses a container that is complete or is encoding another value")
    }

    func contradiction(_ place: JSONPlace) -> RequestSerializationError {
        place.error("encode(to:) mixes keyed, unkeyed and single-value containers for one value")
    }

    /// Begins an array or object where errors cannot be thrown; an error fails the whole encoding.
    func open(_ kind: Kind, at place: JSONPlace) {
        do throws(RequestSerializationError) {
            try begin(kind, at: place)
        } catch {
            run.fail(error)
        }
    }

    /// Begins an array or object in a place.
    ///
    /// Existing content of the same kind is kept, because two containers can share it.
    func begin(_ kind: Kind, at place: JSONPlace) throws(RequestSerializationError) {
        guard isInnermost(place) else { throw outOfTurn(place) }
        let last = places.count - 1
        if places[last].kind == kind { return }
        switch places[last].kind {
        case .empty: break
        case .array where places[last].count == 0, .object where places[last].count == 0:
            // An empty container is replaced.
            writer.buffer.truncate(to: places[last].start)
        default: throw contradiction(place)
        }
        guard places[last].depth < ParameterWalk.maximumDepth else {
            throw place.error(RequestSerializationError.nestedTooDeep.reason)
        }
        places[last].kind = kind
        writer.buffer.append(kind == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    }

    /// Returns the number of members or elements in a place; 0 if the place is closed.
    func count(of place: JSONPlace) -> Int {
        let index = Int(place.index)
        guard index < places.count, places[index].serial == place.serial else { return 0 }
        return places[index].count
    }

    /// Returns the path from the root to a place.
    func path(of place: JSONPlace) -> [ParameterPath.Step] {
        let index = Int(place.index)
        // For a closed place, this is the path to the place that is open around it now.
        let isOpen = index < places.count && places[index].serial == place.serial
        return path + places.prefix(isOpen ? index + 1 : index).compactMap(\.step)
    }

    /// Completes the content of the innermost place, and closes it.
    func closePlace(_ place: JSONPlace) throws {
        guard isInnermost(place) else { throw outOfTurn(place) }
        let last = places.count - 1
        if nested.count > places[last].firstNested { try joinNested(in: place) }
        switch places[last].kind {
        case .empty: writer.buffer.append(literal: "{}")
        case .scalar, .complete: break
        case .array:
            if places[last].count > 0 { writer.breakLine(places[last].depth) }
            writer.buffer.append(UInt8(ascii: "]"))
        case .object:
            if places[last].count > 1 { try sortMembers(in: place) }
            members.removeLast(members.count - places[last].firstMember)
            if keys.count > places[last].firstKey {
                keys.removeLast(keys.count - places[last].firstKey)
            }
            if places[last].count > 0 { writer.breakLine(places[last].depth) }
            writer.buffer.append(UInt8(ascii: "}"))
        }
        places.removeLast()
    }

    // MARK: Rolling back

    /// The state of a fragment before a value.
    struct Mark {
        let length: Int
        let memberCount: Int
        let keyCount: Int
        let nestedCount: Int
        let placeCount: Int
    }

    @inline(__always)
    var mark: Mark {
        Mark(
            length: writer.buffer.count, memberCount: members.count, keyCount: keys.count,
            nestedCount: nested.count, placeCount: places.count)
    }

    /// Removes everything written since a mark, because the type can catch the error and continue.
    @inline(never)
    func goBack(to mark: Mark) {
        writer.buffer.truncate(to: mark.length)
        members.removeLast(members.count - mark.memberCount)
        keys.removeLast(keys.count - mark.keyCount)
        for dropped in nested[mark.nestedCount...] {
            if let key = dropped.key { nestedMembers[key] = nil }
        }
        nested.removeLast(nested.count - mark.nestedCount)
        places.removeLast(places.count - mark.placeCount)
    }
}
