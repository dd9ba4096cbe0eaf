import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Sequences in parameters")
struct ParameterSequenceTests {
    private func json(_ parameters: Parameters) throws -> String {
        String(decoding: try JSONBodyEncoder().data(of: parameters), as: UTF8.self)
    }

    private func fault(_ parameters: Parameters) -> RequestSerializationError? {
        #expect(throws: RequestSerializationError.self) {
            try JSONBodyEncoder().data(of: parameters)
        }
    }

    @Test(
        "every sequence of values is sent as an array of them, in a literal and in a dictionary of Any"
    )
    func sequences() throws {
        let array = [3, 1, 2]
        let byName = ["k": 1]
        var counter = 0
        let onePass = AnyIterator<Int> {
            counter += 1
            return counter < 4 ? counter : nil
        }
        let sequences: [(Any, String)] = [
            (array[1...], "[1,2]"), (array.reversed() as ReversedCollection<[Int]>, "[2,1,3]"),
            (array.lazy.map { "\($0)" }, #"["3","1","2"]"#),
            (array.lazy.filter { $0 > 1 }, "[3,2]"),
            (byName.keys, #"["k"]"#), (byName.values, "[1]"),
            ("a-b".split(separator: "-"), #"["a","b"]"#),
            (ContiguousArray(array), "[3,1,2]"), (repeatElement("x", count: 2), #"["x","x"]"#),
            (stride(from: 0, to: 4, by: 2), "[0,2]"), (CollectionOfOne(Date?.none), "[null]"),
            (EmptyCollection<Int>(), "[]"), (AnySequence([1.5]), "[1.5]"), (onePass, "[1,2,3]"),
            (array.map { [$0, nil] }[1...], "[[1,null],[2,null]]"), ("ab".utf8, "[97,98]"),
            ([ParametersTests.User()][...], #"[{"bornAt":"1970-01-01T00:00:00Z","id":1}]"#),
            (["x": array.prefix(1)], #"{"x":[3]}"#), ([array.suffix(1), [4]], "[[2],[4]]"),
            // These have a form of their own.
            (1..<4, "[1,4]"), ("ab"[...], #""ab""#), (Data([1]), #""AQ==""#),
        ]
        for (sequence, text) in sequences {
            #expect(try json(["a": sequence]) == "{\"a\":\(text)}")
            guard !(sequence is AnyIterator<Int>) else { continue }
            #expect(try json(Parameters(untyped: ["a": sequence])) == "{\"a\":\(text)}")
        }
        #expect(try QueryEncoding().string(of: ["a": array[1...]]) == "a%5B%5D=1&a%5B%5D=2")
        let list = try PropertyListRequestSerializer(format: .binary)
            .serialize(request("POST"), parameters: ["a": array[1...]] as Parameters).httpBody
        #expect(
            try PropertyListDecoder().decode([String: [Int]].self, from: list ?? Data())
                == ["a": [1, 2]])
        #expect(fault(["a": [array[...], [.nan, 1][...]] as [Any]])?.keyPath == "a[1][0]")
    }

    @Test("a sequence that does not end, or has other elements, is an error with its key path")
    func otherSequences() {
        let endless = fault(["a": ["b": Swift.sequence(first: 1) { $0 }]])
        #expect(
            endless?.keyPath == "a.b" && endless?.reason.contains("pass it as an array") == true)
        let pairs = fault(["a": ["b": 1].lazy.map { $0 }])
        #expect(pairs?.keyPath == "a[0]" && pairs?.reason.contains("convert it") == true)
        let nest = fault(["a": CollectionOfOne(nestOfSlices(200))])
        #expect(nest?.reason.contains("nested") == true)
    }

    /// Returns nested slices.
    private func nestOfSlices(_ depth: Int) -> Any {
        (0..<depth).reduce(1 as Any) { inner, _ in [inner][...] }
    }
}
