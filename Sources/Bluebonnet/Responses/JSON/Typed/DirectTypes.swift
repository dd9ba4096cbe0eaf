/// Which types are read directly: a table, since asking Swift takes longer than reading most values.
///
/// It is used by one thread at a time, as the parser is that it belongs to.
struct DirectTypes {
    private struct Entry {
        let type: ObjectIdentifier
        let direct: (any TapeDecodable.Type)?
    }

    private static let count = 256

    /// By a hash of the type; a later one takes the place of another with the same.
    private let entries: UnsafeMutablePointer<Entry?>

    init() {
        entries = .allocate(capacity: Self.count)
        entries.initialize(repeating: nil, count: Self.count)
    }

    func deallocate() { entries.deallocate() }

    @inline(__always)
    func form(of type: any Any.Type) -> (any TapeDecodable.Type)? {
        let identifier = ObjectIdentifier(type)
        let place = entries + Self.place(of: identifier)
        if let entry = place.pointee, entry.type == identifier { return entry.direct }
        let direct = Self.direct(type)
        place.pointee = Entry(type: identifier, direct: direct)
        return direct
    }

    @inline(never)
    private static func direct(_ type: any Any.Type) -> (any TapeDecodable.Type)? {
        type as? any TapeDecodable.Type
    }

    @inline(__always)
    private static func place(of identifier: ObjectIdentifier) -> Int {
        let bits = UInt(bitPattern: identifier)
        // Types are aligned to eight bytes, and similar ones lie side by side.
        return Int((bits >> 3 ^ bits >> 11) % UInt(count))
    }
}
