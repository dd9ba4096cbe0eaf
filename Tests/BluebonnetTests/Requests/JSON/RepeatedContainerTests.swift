import Foundation
import Testing

import Bluebonnet

@Suite("Several containers of one key, and failures that a type ignores")
struct RepeatedContainerTests {
    /// A type that is encoded by a closure.
    private struct Free: Encodable {
        let body: (any Encoder) throws -> Void

        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    private struct Key: CodingKey, ExpressibleByStringLiteral {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringLiteral name: String) { stringValue = name }
        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }
    }

    private typealias Container = KeyedEncodingContainer<Key>

    private func object(_ body: @escaping (inout Container) throws -> Void) -> Free {
        Free { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try body(&container)
        }
    }

    private func add(_ value: Int, _ key: Key, to container: inout Container) throws {
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: "a")
        try nested.encode(value, forKey: key)
    }

    private func add(_ value: Int, to container: inout Container) throws {
        var nested = container.nestedUnkeyedContainer(forKey: "a")
        try nested.encode(value)
    }

    private func foundation(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Returns the JSON of a value, which must be the same for the parameters made from it.
    private func json(_ value: some Encodable) throws -> String {
        let data = try JSONBodyEncoder().data(encoding: value)
        #expect(try JSONBodyEncoder().data(of: Parameters(encoding: value)) == data)
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns the failure of a value, which must be the same for the parameters made from it.
    private func failure(_ value: some Encodable) -> RequestSerializationError? {
        let direct = #expect(throws: RequestSerializationError.self) {
            try JSONBodyEncoder().data(encoding: value)
        }
        let byTree = #expect(throws: RequestSerializationError.self) {
            try JSONBodyEncoder().data(of: Parameters(encoding: value))
        }
        #expect(direct == byTree)
        return direct
    }

    @Test("a second encoder for a superclass replaces what the key had, in JSON and in forms")
    func superEncoders() throws {
        let values: [(Free, String, String)] = [
            (
                object {
                    try 1.encode(to: $0.superEncoder(forKey: "a"))
                    try 2.encode(to: $0.superEncoder(forKey: "a"))
                }, #"{"a":2}"#, "a=2"
            ),
            (
                object {
                    try ["x": 1].encode(to: $0.superEncoder(forKey: "a"))
                    try ["y": 2].encode(to: $0.superEncoder(forKey: "a"))
                }, #"{"a":{"y":2}}"#, "a[y]=2"
            ),
            (
                object {
                    try [1, 2].encode(to: $0.superEncoder(forKey: "a"))
                    try [3].encode(to: $0.superEncoder(forKey: "a"))
                }, #"{"a":[3]}"#, "a[]=3"
            ),
            (
                object {
                    try $0.encode(["x": 1], forKey: "a")
                    try [2].encode(to: $0.superEncoder(forKey: "a"))
                }, #"{"a":[2]}"#, "a[]=2"
            ),
            (
                object {
                    try self.add(1, "x", to: &$0)
                    try ["y": 2].encode(to: $0.superEncoder(forKey: "a"))
                }, #"{"a":{"y":2}}"#, "a[y]=2"
            ),
        ]
        for (value, expected, expectedForm) in values {
            #expect(try json(value) == expected)
            #expect(try foundation(value) == expected)
            #expect(try form(value).removingPercentEncoding == expectedForm)
        }
        let twice = object {
            try ["x": 1].encode(to: $0.superEncoder())
            try ["y": 2].encode(to: $0.superEncoder())
        }
        #expect(try json(twice) == #"{"super":{"y":2}}"#)
        #expect(try foundation(twice) == #"{"super":{"y":2}}"#)
        #expect(try form(twice) == "x=1&y=2")
    }

    @Test("a second container of a key is the first one in JSON, if it is of the same kind")
    func sharedContainers() throws {
        let objects = object {
            try self.add(1, "x", to: &$0)
            try self.add(2, "y", to: &$0)
        }
        #expect(try json(objects) == #"{"a":{"x":1,"y":2}}"#)
        #expect(try foundation(objects) == #"{"a":{"x":1,"y":2}}"#)
        #expect(try form(objects).removingPercentEncoding == "a[y]=2")
        let lists = object {
            try self.add(1, to: &$0)
            try self.add(2, to: &$0)
        }
        #expect(try json(lists) == #"{"a":[1,2]}"#)
        #expect(try foundation(lists) == #"{"a":[1,2]}"#)
        let inherited = object {
            try ["y": 2].encode(to: $0.superEncoder(forKey: "a"))
            try self.add(1, "x", to: &$0)
        }
        #expect(try json(inherited) == #"{"a":{"x":1,"y":2}}"#)
        #expect(try foundation(inherited) == #"{"a":{"x":1,"y":2}}"#)
    }

    @Test("a container of another kind replaces what the key had, in JSON and in forms")
    func replacingContainers() throws {
        let values: [(Free, String, String)] = [
            (
                object {
                    try self.add(1, "x", to: &$0)
                    try self.add(2, to: &$0)
                }, #"{"a":[2]}"#, "a[]=2"
            ),
            (
                object {
                    try self.add(1, to: &$0)
                    try self.add(2, "x", to: &$0)
                }, #"{"a":{"x":2}}"#, "a[x]=2"
            ),
            (
                object {
                    try $0.encode("text", forKey: "a")
                    try self.add(2, "x", to: &$0)
                }, #"{"a":{"x":2}}"#, "a[x]=2"
            ),
            (
                object {
                    try $0.encode([1], forKey: "a")
                    try self.add(2, to: &$0)
                    try $0.encodeNil(forKey: "b")
                }, #"{"a":[2],"b":null}"#, "a[]=2"
            ),
        ]
        for (value, expected, expectedForm) in values {
            #expect(try json(value) == expected)
            #expect(try form(value).removingPercentEncoding == expectedForm)
        }
        let lists = object {
            try self.add(1, to: &$0)
            try self.add(2, to: &$0)
        }
        #expect(try form(lists).removingPercentEncoding == "a[]=2")
    }

    @Test("parameters made from a value have no part of it whose failure the type ignored")
    func ignoredFailures() throws {
        let bad = [1, Double.infinity]
        let value = object { container in
            try? container.encode(Double.nan, forKey: "a")
            try container.encode(1, forKey: "b")
            try? container.encode(bad, forKey: "b")
            try? container.encode(["x": bad], forKey: "c")
            try container.encode(
                Free { encoder in
                    var list = encoder.unkeyedContainer()
                    try? list.encode(Float.nan)
                    try? list.encode(bad)
                    try list.encode(list.count)
                }, forKey: "d")
            try container.encode(
                Free { encoder in
                    var single = encoder.singleValueContainer()
                    do { try single.encode(["x": bad]) } catch { try single.encode("other") }
                }, forKey: "e")
            try container.encode(
                Free { encoder in
                    var object = encoder.container(keyedBy: Key.self)
                    try object.encode(1, forKey: "kept")
                    var single = encoder.singleValueContainer()
                    try? single.encode(["kept": [2], "lost": bad])
                }, forKey: "f")
        }
        #expect(try json(value) == #"{"b":1,"d":[0],"e":"other","f":{"kept":1}}"#)
        #expect(
            try form(value).removingPercentEncoding == "b=1&d[]=0&e=other&f[kept]=1")
    }

    @Test("a value with two kinds of content is the same error, encoded or as parameters")
    func mixedContent() {
        let values = [
            Free { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(1)
                var object = encoder.container(keyedBy: Key.self)
                try object.encode(1, forKey: "a")
            },
            Free { encoder in
                var object = encoder.container(keyedBy: Key.self)
                var list = encoder.unkeyedContainer()
                try list.encode(1)
                try object.encode(1, forKey: "a")
            },
            Free { encoder in
                var list = encoder.unkeyedContainer()
                try list.encode(1)
                var single = encoder.singleValueContainer()
                try single.encode(["a": 1] as Parameters)
            },
            Free { encoder in
                var object = encoder.container(keyedBy: Key.self)
                try object.encode(1, forKey: "a")
                var single = encoder.singleValueContainer()
                try single.encodeNil()
            },
        ]
        for value in values {
            let error = failure(["x": value])
            #expect(error?.keyPath == "x" && error?.reason.contains("mixes") == true)
        }
    }
}
