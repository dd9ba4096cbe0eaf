import Foundation
import Testing

import Bluebonnet

@Suite("Coding paths of types that are decoded from JSON")
struct CodingPathTests {
    private func read<T: Decodable>(
        _ type: T.Type, _ text: String, _ decoder: JSONDecoder? = nil
    ) throws -> T {
        try TypedJSONReader(decoder).value(type, of: JSONText(Data(text.utf8)))
    }

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static var snakeCase: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    // MARK: Paths

    /// The paths of all values, in the order in which a type with a random order sees them.
    private struct Walk: Decodable {
        let paths: [String]

        init(from decoder: any Decoder) throws {
            var paths = [decoder.codingPath.map(\.stringValue).joined(separator: "/")]
            var inner: [any Decoder] = []
            if var list = try? decoder.unkeyedContainer() {
                while !list.isAtEnd { inner.append(try list.superDecoder()) }
            } else if let object = try? decoder.container(keyedBy: Key.self) {
                inner = try object.allKeys.map { try object.superDecoder(forKey: $0) }
            }
            // The order depends only on the number of values.
            for index in inner.indices.reversed() where index.isMultiple(of: 2) {
                paths += try Walk(from: inner[index]).paths
            }
            for index in inner.indices where !index.isMultiple(of: 2) {
                paths += try Walk(from: inner[index]).paths
            }
            self.paths = paths
        }
    }

    @Test("paths are those of JSONDecoder, in every order and for containers of every size")
    func everyOrder() throws {
        func text(_ count: Int, _ depth: Int) -> String {
            guard depth > 0 else { return "1" }
            let inner = text(count, depth - 1)
            let members = (0..<count).map { "\"a_key \($0) that is long\":\(inner)" }
            return "[\(inner),{\(members.joined(separator: ","))},[],\"x\",{}]"
        }
        for (count, depth) in [(1, 4), (3, 3), (64, 1), (65, 1), (70, 2)] {
            let text = text(count, depth)
            for decoder in [JSONDecoder(), Self.snakeCase] {
                // `JSONDecoder` has the keys of an object in any order.
                let expected = try decoder.decode(Walk.self, from: Data(text.utf8)).paths.sorted()
                #expect(try read(Walk.self, text, decoder).paths.sorted() == expected)
            }
        }
    }

    private struct Either: Decodable {
        let path: [String]

        init(from decoder: any Decoder) throws {
            let single = try decoder.singleValueContainer()
            if (try? single.decode([String: Bool].self)) != nil { throw CancellationError() }
            _ = try? single.decode([String: Int].self)
            let container = try decoder.container(keyedBy: Key.self)
            let nested = try container.nestedContainer(
                keyedBy: Key.self, forKey: Key(stringValue: "userName"))
            do {
                _ = try nested.decode(Int.self, forKey: Key(stringValue: "firstLetter"))
                path = []
            } catch DecodingError.typeMismatch(_, let context) {
                path = context.codingPath.map(\.stringValue)
            }
        }
    }

    @Test("an object that was also decoded as a dictionary has paths with converted keys again")
    func afterDictionary() throws {
        let text = #"{"user_name":{"first_letter":"x"}}"#
        let expected = try Self.snakeCase.decode(Either.self, from: Data(text.utf8)).path
        #expect(expected == ["userName", "firstLetter"])
        #expect(try read(Either.self, text, Self.snakeCase).path == expected)
        let error = #expect(throws: DecodingError.self) {
            try read([String: [String: Int]].self, text, Self.snakeCase)
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["user_name", "first_letter"])
    }

    // MARK: Time

    /// A type that catches errors, or reads paths, against the order of the document.
    private struct Backward: Decodable {
        init(from decoder: any Decoder) throws {
            if var list = try? decoder.unkeyedContainer() {
                var elements: [any Decoder] = []
                while !list.isAtEnd { elements.append(try list.superDecoder()) }
                for element in elements.reversed() {
                    _ = element.codingPath
                    _ = try? element.container(keyedBy: Key.self).decode(
                        Bool.self, forKey: Key(stringValue: "x"))
                    _ = try? Backward(from: element)
                }
            }
            guard let object = try? decoder.container(keyedBy: Key.self) else { return }
            for key in object.allKeys.reversed() {
                _ = try? object.decode(Bool.self, forKey: key)
                _ = try? object.decodeIfPresent(Bool.self, forKey: key)
                _ = object.contains(Key(stringValue: key.stringValue + "?"))
                _ = try? object.superDecoder(forKey: key).codingPath
                _ = try? object.superDecoder(forKey: Key(stringValue: "?")).codingPath
                _ = try? object.nestedContainer(keyedBy: Key.self, forKey: key)
                _ = try? object.decode(Backward.self, forKey: key)
            }
        }
    }

    private static func text(_ count: Int, for use: String) -> String {
        let numbers = Array(repeating: "1", count: count).joined(separator: ",")
        let members = (0..<count).map { "\"key_\($0)\":1" }.joined(separator: ",")
        switch use {
        case "object", "snake case": return "{\(members)}"
        case "nested object": return "[1,{\"a\":{\(members)},\"b\":2}]"
        case "array": return "[\(numbers)]"
        case "array of objects":
            return "[\(Array(repeating: #"{"x":1}"#, count: count).joined(separator: ","))]"
        case "deep":
            let siblings = Array(repeating: "1,", count: count / 50).joined()
            return String(repeating: "[" + siblings, count: 50) + "1"
                + String(repeating: "]", count: 50)
        default: return "{\"\(String(repeating: "k", count: 50 * count))\":[\(numbers)]}"
        }
    }

    @Test(
        "the time for paths and caught errors grows with the size of the text, against its order",
        arguments: [
            "object", "snake case", "nested object", "array", "array of objects", "deep",
            "long key",
        ])
    func linearTime(use: String) throws {
        let decoder = use == "snake case" ? Self.snakeCase : JSONDecoder()
        func seconds(_ count: Int) throws -> Double {
            let text = Self.text(count, for: use)
            var (start, end) = (timespec(), timespec())
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
            _ = try read(Backward.self, text, decoder)
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
            return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
        }
        _ = try seconds(100)
        let small = try min(seconds(2_000), seconds(2_000))
        let large = try seconds(16_000)
        // Eight times if the time is linear, and 64 times if it is quadratic.
        #expect(large < 24 * small, "\(large) s, but \(small) s for an eighth of the values")
    }
}
