@testable import BluebonnetTransport
import Testing

@Suite("Lines by priority")
struct PriorityLineTests {
    private final class Person: LineMember {
        var place = LinePlace()
        let name: Int
        var priority: Float

        init(_ name: Int, _ priority: Float) {
            self.name = name
            self.priority = priority
        }
    }

    @Test("the highest priority goes first, and within one those who came first")
    func order() {
        var line = PriorityLine<Person>()
        let people = [0.5, 1, 0, 0.5, .nan, 7, -1, 1].enumerated().map { Person($0, $1) }
        for person in people { line.append(person, priority: person.priority) }
        var served: [Int] = []
        while let person = line.popFirst() { served.append(person.name) }
        #expect(served == [1, 5, 7, 0, 3, 4, 2, 6])
        #expect(people.allSatisfy { !$0.place.isInLine })
    }

    @Test("coming, leaving and changing in any order is served like a sorted list")
    func model() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var line = PriorityLine<Person>()
            var list: [Person] = []
            for name in 0..<60 {
                let person = Person(name, Float(Int.random(in: 0...3, using: &generator)) / 3)
                line.append(person, priority: person.priority)
                list.append(person)
                guard let other = list.randomElement(using: &generator) else { continue }
                switch Int.random(in: 0..<4, using: &generator) {
                case 0:
                    line.remove(other)
                    line.remove(other)
                    list.removeAll { $0 === other }
                case 1:
                    other.priority = Float(Int.random(in: 0...3, using: &generator)) / 3
                    line.setPriority(other.priority, of: other)
                case 2:
                    let first = list.max {
                        $0.priority != $1.priority
                            ? $0.priority < $1.priority : $0.name > $1.name
                    }
                    #expect(line.popFirst() === first)
                    list.removeAll { $0 === first }
                default: break
                }
                #expect(line.isEmpty == list.isEmpty)
            }
        }
    }

    @Test("who stands in another line is left alone")
    func strangers() {
        var (here, there) = (PriorityLine<Person>(), PriorityLine<Person>())
        let (one, two) = (Person(1, 0.5), Person(2, 0.5))
        here.append(one, priority: 0.5)
        there.append(two, priority: 0.5)
        here.remove(two)
        here.setPriority(1, of: two)
        #expect(here.popFirst() === one)
        #expect(there.popFirst() === two)
    }
}
