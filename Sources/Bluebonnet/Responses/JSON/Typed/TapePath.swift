import Foundation

/// Finds the coding path of a value, which only errors and types that read `codingPath` need.
final class TapePath {
    /// An array element or object member on the last path.
    private struct Step {
        let container: Int
        let child: Int
        let position: Int
    }

    private let tape: JSONTape
    private let keys: KeyIndex
    /// The steps of the last path, by depth; the next path usually leads to an element shortly
    /// after.
    private var steps: [Step] = []
    /// The objects whose keys are not converted.
    private var dictionaries: Set<Int> = []

    init(_ tape: JSONTape, _ keys: KeyIndex) {
        self.tape = tape
        self.keys = keys
    }

    func noteDictionary(_ object: Int) { dictionaries.insert(object) }

    func path(to target: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = JSONTape.root
        while container < target {
            let isObject = tape.kind(at: container) == .object
            guard let step = step(from: container, isObject, to: target, depth: path.count) else {
                break
            }
            if isObject {
                path.append(JSONPathKey(stringValue: name(at: step.child, of: container)))
                container = step.child + 1
            } else {
                path.append(JSONPathKey(intValue: step.position))
                container = step.child
            }
        }
        return path
    }

    private func name(at key: Int, of object: Int) -> String {
        dictionaries.contains(object) ? tape.string(at: key) : keys.name(at: key)
    }

    /// Returns the element that is the target or contains it.
    private func step(
        from container: Int, _ isObject: Bool, to target: Int, depth: Int
    ) -> Step? {
        var (child, position) = (container + 1, 0)
        if depth < steps.count, steps[depth].container == container, steps[depth].child <= target {
            (child, position) = (steps[depth].child, steps[depth].position)
        }
        let end = tape.end(of: container)
        while child < end {
            let after = tape.next(after: isObject ? child + 1 : child)
            if target < after {
                let step = Step(container: container, child: child, position: position)
                if depth < steps.count { steps[depth] = step } else { steps.append(step) }
                return step
            }
            (child, position) = (after, position + 1)
        }
        return nil
    }
}
