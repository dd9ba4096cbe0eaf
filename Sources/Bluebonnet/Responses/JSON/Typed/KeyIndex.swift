import Foundation

/// Finds members by keys as strings, for keys whose bytes do not suffice.
///
/// These are keys that are converted, keys that are not ASCII, and keys of objects with many
/// members. Strings are equal if they are canonically equivalent, as with `JSONDecoder`.
final class KeyIndex {
    private let tape: JSONTape
    private let convertsFromSnakeCase: Bool
    private var converted: [String: String] = [:]
    /// The object that was indexed last, by depth.
    private var objects: [(object: Int, members: [String: Int])] = []
    /// The objects with many members, which are kept because indexing them again would be slow.
    private var wideObjects: [Int: [String: Int]] = [:]

    init(_ tape: JSONTape, convertsFromSnakeCase: Bool) {
        self.tape = tape
        self.convertsFromSnakeCase = convertsFromSnakeCase
    }

    /// Returns the index of a key's value.
    func value(of name: String, in object: Int, depth: Int) -> Int? {
        if tape.countedElements(of: object) > KeySearch.mostSearched {
            return wideObjects[object].map { $0[name] } ?? wideValue(of: name, in: object)
        }
        while objects.count <= depth { objects.append((0, [:])) }
        if objects[depth].object != object {
            objects[depth] = (object, members(of: object))
        }
        return objects[depth].members[name]
    }

    private func wideValue(of name: String, in object: Int) -> Int? {
        let members = members(of: object)
        wideObjects[object] = members
        return members[name]
    }

    /// Returns a key as types see it.
    func name(at index: Int) -> String {
        let key = tape.string(at: index)
        guard convertsFromSnakeCase, key.utf8.contains(UInt8(ascii: "_")) else { return key }
        if let name = converted[key] { return name }
        let name = SnakeCase.camelCase(of: key)
        converted[key] = name
        return name
    }

    private func members(of object: Int) -> [String: Int] {
        var members = [String: Int](minimumCapacity: tape.countedElements(of: object))
        var key = object + 1
        while key < tape.end(of: object) {
            let name = name(at: key)
            // The first of repeated keys counts.
            if members[name] == nil { members[name] = key + 1 }
            key = tape.next(after: key + 1)
        }
        return members
    }
}
