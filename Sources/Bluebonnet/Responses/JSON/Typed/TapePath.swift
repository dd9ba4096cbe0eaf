import Foundation

/// Finds the coding path of a value, which only errors and types that read `codingPath` need.
///
/// The time for a path depends on its length, but not on the order in which paths are requested or
/// on the number of values in the text.
final class TapePath {
    private let tape: JSONTape
    private let keys: KeyIndex
    /// The indices of the elements or keys of containers that have many, in ascending order.
    private var indices: [Int: [UInt32]] = [:]
    /// The names of long keys, by index; for names that are not converted, by its complement.
    private var longNames: [Int: String] = [:]
    /// The objects that are being decoded as dictionaries, whose keys are not converted.
    private var dictionaries: Set<Int> = []

    init(_ tape: JSONTape, _ keys: KeyIndex) {
        self.tape = tape
        self.keys = keys
    }

    /// Records that an object is being decoded as a dictionary; returns false if that is known.
    func beginDictionary(_ object: Int) -> Bool { dictionaries.insert(object).inserted }

    func endDictionary(_ object: Int) { dictionaries.remove(object) }

    func path(to target: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = JSONTape.root
        while container < target {
            let isObject = tape.kind(at: container) == .object
            guard let (child, position) = child(of: container, isObject, at: target) else { break }
            if isObject {
                path.append(JSONPathKey(stringValue: name(at: child, of: container)))
                container = child + 1
            } else {
                path.append(JSONPathKey(intValue: position))
                container = child
            }
        }
        return path
    }

    private func name(at key: Int, of object: Int) -> String {
        let isConverted = !dictionaries.contains(object)
        // A short name takes no memory of its own.
        guard tape.utf8(at: key).count > 15 else { return name(at: key, isConverted) }
        let known = isConverted ? key : ~key
        if let name = longNames[known] { return name }
        let name = name(at: key, isConverted)
        longNames[known] = name
        return name
    }

    private func name(at key: Int, _ isConverted: Bool) -> String {
        isConverted ? keys.name(at: key) : tape.string(at: key)
    }

    /// Returns the element or key at a target or before it, and its position in the container.
    private func child(
        of container: Int, _ isObject: Bool, at target: Int
    ) -> (index: Int, position: Int)? {
        guard target < tape.end(of: container) else { return nil }
        if tape.countedElements(of: container) > KeySearch.mostSearched {
            return child(among: indices(in: container, isObject), at: target)
        }
        var (child, position) = (container + 1, 0)
        while true {
            let next = tape.next(after: isObject ? child + 1 : child)
            if target < next { return (child, position) }
            (child, position) = (next, position + 1)
        }
    }

    /// Returns the last of the indices that is not after a target.
    private func child(
        among indices: [UInt32], at target: Int
    ) -> (index: Int, position: Int)? {
        var (low, high) = (0, indices.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(indices[middle]) <= target { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? (Int(indices[low - 1]), low - 1) : nil
    }

    private func indices(in container: Int, _ isObject: Bool) -> [UInt32] {
        if let known = indices[container] { return known }
        var found: [UInt32] = []
        found.reserveCapacity(tape.countedElements(of: container))
        let end = tape.end(of: container)
        var child = container + 1
        while child < end {
            found.append(UInt32(truncatingIfNeeded: child))
            child = tape.next(after: isObject ? child + 1 : child)
        }
        indices[container] = found
        return found
    }
}
