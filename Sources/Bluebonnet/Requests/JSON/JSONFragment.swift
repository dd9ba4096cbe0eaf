import Foundation

/// JSON that is being written from its beginning to its end, with the arrays and objects that are open in it.
///
/// A value and what it encodes are written one behind the other in one fragment. Containers that a value keeps open
/// beside each other are fragments of their own, and are put in when the value is complete.
final class JSONFragment {
    /// What is in a place.
    enum Kind {
        case empty
        case scalar
        /// An array or an object that was written at once.
        case complete
        case array
        case object
    }

    /// The place of a value that is not complete.
    struct OpenPlace {
        let serial: UInt32
        /// How many arrays and objects it lies in.
        let depth: Int
        /// The way to it from the place around it.
        let step: ParameterPath.Step?
        /// Where its text begins.
        let start: Int
        /// Where its members begin among all.
        let firstMember: Int
        /// Where its keys begin among all.
        let firstKey: Int
        /// Where its nested fragments begin among all.
        let firstNested: Int
        var kind = Kind.empty
        /// How many members or elements it has.
        var count = 0
    }

    /// A member that is a nested fragment.
    struct NestedKey: Hashable {
        /// The serial number of the object's place.
        let object: UInt32
        let key: String
    }

    /// A fragment that comes in at an offset when its value is complete.
    struct Nested {
        let offset: Int
        let fragment: JSONFragment
        /// Nil for an element.
        let key: NestedKey?
    }

    let run: JSONEncodingRun
    // Not checked for exclusive access as the program runs, since that is half of what encoding takes. One thread
    // encodes, and no access lasts while code of a type or of a closure runs.
    @exclusivity(unchecked)
    var writer: JSONWriter
    /// From the outermost to the innermost.
    @exclusivity(unchecked)
    var places: [OpenPlace] = []
    /// The members of the objects that are open, those of the innermost last.
    @exclusivity(unchecked)
    var members: [JSONMember] = []
    /// The keys of members, and how they are spelled, where their names do not say it.
    @exclusivity(unchecked)
    var keys: [(key: String, spelling: String)] = []
    /// The members that are fragments, by the place of their object.
    @exclusivity(unchecked)
    var nestedMembers: [NestedKey: JSONFragment] = [:]
    /// The fragments that are nested in the values that are open, those of the innermost last.
    @exclusivity(unchecked)
    var nested: [Nested] = []
    /// The way to the fragment from the root.
    private let path: [ParameterPath.Step]

    /// Makes a fragment with room for so many bytes at first.
    init(_ run: JSONEncodingRun, at path: [ParameterPath.Step], capacity: Int = 32) {
        self.run = run
        self.path = path
        writer = JSONWriter(run.options, capacity: capacity)
    }

    /// The text of what a value encodes, an array or an object; nil for null.
    static func data(
        of value: some Encodable, _ style: ParameterStyle,
        _ options: JSONBodyEncoder.WritingOptions
    ) throws -> Data? {
        let memory = JSONEncodingMemory.take()
        var run = JSONEncodingRun(style, options, memory)
        defer {
            // Containers that a type has kept still use it.
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

    /// Opens the place of a value that lies in so many arrays and objects.
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

    /// Whether the place is open, and no place in it is.
    @inline(__always)
    func isInnermost(_ place: JSONPlace) -> Bool {
        places.count == Int(place.index) + 1 && places[places.count - 1].serial == place.serial
    }

    /// Makes sure that a place can be written to.
    @inline(__always)
    func check(_ place: JSONPlace) throws(RequestSerializationError) {
        try run.check()
        guard isInnermost(place) else { throw outOfTurn(place) }
    }

    func outOfTurn(_ place: JSONPlace) -> RequestSerializationError {
        place.error("encode(to:) uses a container before or after its turn")
    }

    func contradiction(_ place: JSONPlace) -> RequestSerializationError {
        place.error("encode(to:) mixes keys, elements and single values in one place")
    }

    /// Opens a place where that cannot throw: a failure is that of the whole.
    func open(_ kind: Kind, at place: JSONPlace) {
        do throws(RequestSerializationError) {
            try begin(kind, at: place)
        } catch {
            run.fail(error)
        }
    }

    /// Makes room in a place for members or elements; what is there already stays, as two containers may share it.
    func begin(_ kind: Kind, at place: JSONPlace) throws(RequestSerializationError) {
        guard isInnermost(place) else { throw outOfTurn(place) }
        let last = places.count - 1
        if places[last].kind == kind { return }
        switch places[last].kind {
        case .empty: break
        case .array where places[last].count == 0, .object where places[last].count == 0:
            // What is empty is replaced.
            writer.buffer.truncate(to: places[last].start)
        default: throw contradiction(place)
        }
        guard places[last].depth < ParameterWalk.maximumDepth else {
            throw place.error(RequestSerializationError.nestedTooDeep.reason)
        }
        places[last].kind = kind
        writer.buffer.append(kind == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    }

    /// How many members or elements are in a place.
    func count(of place: JSONPlace) -> Int {
        let index = Int(place.index)
        guard index < places.count, places[index].serial == place.serial else { return 0 }
        return places[index].count
    }

    /// The way to a place from the root.
    func path(of place: JSONPlace) -> [ParameterPath.Step] {
        let index = Int(place.index)
        // Of a place that is closed, the way to what is open there now.
        let isOpen = index < places.count && places[index].serial == place.serial
        return path + places.prefix(isOpen ? index + 1 : index).compactMap(\.step)
    }

    /// Ends what is in the innermost place.
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

    // MARK: What failed

    /// How far everything was before a value.
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

    /// Takes back what has been written since, which the type may do without.
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
