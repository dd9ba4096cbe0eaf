@testable import BluebonnetTransport
import BluebonnetTestSupport
import Testing

@Suite("Queues by priority")
struct PriorityQueueTests {
    private final class Person: QueueMember {
        var position = QueuePosition()
        let name: Int
        var priority: Float

        init(_ name: Int, _ priority: Float) {
            self.name = name
            self.priority = priority
        }
    }

    @Test("the highest priority is first, then the earliest arrival")
    func order() {
        let line = PriorityQueue<Person>()
        let people = [0.5, 1, 0, 0.5, .nan, 7, -1, 1].enumerated().map { Person($0, $1) }
        for person in people { line.append(person, priority: person.priority) }
        var served: [Int] = []
        while let person = line.popFirst() { served.append(person.name) }
        #expect(served == [1, 5, 7, 0, 3, 4, 2, 6])
        #expect(people.allSatisfy { !$0.position.isQueued })
    }

    @Test("who was added before the others comes before those of its priority, in that order")
    func early() {
        let line = PriorityQueue<Person>()
        let people = [0.5, 0.5, 1, 0.5, 0.5].enumerated().map { Person($0, $1) }
        for person in people[..<3] { line.append(person, priority: person.priority) }
        for person in people[3...] { line.prepend(person, priority: person.priority) }
        #expect(line.first { $0.priority < 1 && $0.name < 3 }?.name == 0)
        #expect(line.first { $0.name > 4 } == nil)
        var served: [Int] = []
        while let person = line.popFirst() { served.append(person.name) }
        #expect(served == [2, 3, 4, 0, 1])
    }

    @Test("after 200,000 additions, removals and changes, the order is that of a sorted list")
    func model() throws {
        try RandomWalks.take(steps: 200_000) { (seed, logs) throws(RandomWalks.Failure) in
            var model = Model(seed: seed, logs: logs)
            return try model.run(steps: 150)
        }
    }

    /// A queue and a list in the order of arrival.
    private struct Model {
        var generator: SeededGenerator
        let line = PriorityQueue<Person>()
        var list: [Person] = []
        var log: [String]?

        init(seed: UInt64, logs: Bool) {
            generator = SeededGenerator(seed: seed)
            if logs { log = [] }
        }

        mutating func run(steps: Int) throws(RandomWalks.Failure) -> Int {
            for name in 0..<steps { try step(name) }
            while !list.isEmpty { try pop() }
            try require(line.isEmpty, "somebody is left")
            return steps
        }

        private mutating func step(_ name: Int) throws(RandomWalks.Failure) {
            let (kind, priority) = (generator.next() % 6, Float(generator.next() % 4) / 3)
            let other = list.isEmpty ? nil : list[Int(generator.next() % UInt64(list.count))]
            log?.append("\(kind) \(name) \(priority) \(other?.name ?? -1)")
            switch (kind, other) {
            case (0, let other?):
                line.remove(other)
                line.remove(other)
                list.removeAll { $0 === other }
                try require(!other.position.isQueued, "who has left is in line")
            case (1, let other?):
                other.priority = priority
                line.setPriority(priority, of: other)
            case (2, _): try pop()
            default:
                let person = Person(name, priority)
                line.append(person, priority: priority)
                list.append(person)
            }
            try require(line.isEmpty == list.isEmpty, "the line is empty, or is not")
        }

        private mutating func pop() throws(RandomWalks.Failure) {
            var first: Person?
            for person in list where person.priority > first?.priority ?? -1 { first = person }
            try require(line.first === first && line.popFirst() === first, "another is first")
            list.removeAll { $0 === first }
        }

        private func require(_ holds: Bool, _ text: String) throws(RandomWalks.Failure) {
            if !holds { throw RandomWalks.Failure(reason: text, events: log ?? []) }
        }
    }

    @Test("members of another queue are ignored")
    func strangers() {
        let (here, there) = (PriorityQueue<Person>(), PriorityQueue<Person>())
        let (one, two) = (Person(1, 0.5), Person(2, 0.5))
        here.append(one, priority: 0.5)
        there.append(two, priority: 0.5)
        here.remove(two)
        here.setPriority(1, of: two)
        #expect(here.popFirst() === one)
        #expect(there.popFirst() === two)
    }
}
