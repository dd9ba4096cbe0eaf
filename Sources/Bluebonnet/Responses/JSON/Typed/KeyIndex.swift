import Foundation

/// Finds members by keys as strings, where their bytes do not say enough: keys that are converted, that are not
/// of ASCII alone, or that are too many.
///
/// Strings are equal if they are canonically equivalent, as they are to `JSONDecoder`.
final class KeyIndex {
    private let tape: JSONTape
    private let convertsFromSnakeCase: Bool
    private var converted: [String: String] = [:]
    /// By depth, the object that was looked at last.
    private var objects: [(object: Int, members: [String: Int])] = []
    /// The objects with many members, which would take long to be looked at again.
    private var wideObjects: [Int: [String: Int]] = [:]

    init(_ tape: JSONTape, convertsFromSnakeCase: Bool) {
        self.tape = tape
        self.convertsFromSnakeCase = convertsFromSnakeCase
    }

    /// The index of the value of a key.
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

    /// A key as types know it.
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
