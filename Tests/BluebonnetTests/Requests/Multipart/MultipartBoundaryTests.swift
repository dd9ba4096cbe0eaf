import Foundation
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("The boundary of a form")
struct MultipartBoundaryTests {
    /// Returns numbers chosen by the test.
    struct ListedNumbers: RandomNumberGenerator {
        var numbers: [UInt64]

        mutating func next() -> UInt64 { numbers.isEmpty ? 99 : numbers.removeFirst() }
    }

    private func boundary(_ numbers: [UInt64], _ parts: [Data]) throws -> String {
        var form = MultipartFormData()
        for part in parts { form.appendPart(formData: part, name: "a") }
        var generator = ListedNumbers(numbers: numbers)
        return try MultipartBody(form) { generator.next() }.boundary
    }

    @Test("it is different for each body, with 16 random digits")
    func random() throws {
        let boundaries = try (0..<50).map { _ in try multipartBoundary() }
        #expect(Set(boundaries).count == 50)
        #expect(boundaries.allSatisfy { $0.contains(/^Boundary\+[0-9A-F]{16}$/) })
        #expect(try boundary([0xAB], []) == "Boundary+00000000000000AB")
    }

    private func multipartBoundary() throws -> String {
        var form = MultipartFormData()
        form.appendPart(formData: Data(), name: "a")
        return try MultipartBody(form).boundary
    }

    @Test(
        "it occurs in no data part, because another one is chosen",
        arguments: [0, 1, 24, 25, 999])
    func avoided(offset: Int) throws {
        let text = Data("Boundary+0000000000000001".utf8)
        let filler = Data(repeating: UInt8(ascii: "B"), count: offset)
        for end in [Data(), Data("x".utf8), Data(repeating: UInt8(ascii: "1"), count: 80)] {
            let part = filler + text + end
            #expect(try boundary([1, 2], [part]) == "Boundary+0000000000000002")
            #expect(try boundary([1, 2], [Data(), part]) == "Boundary+0000000000000002")
            #expect(try boundary([1, 1, 1, 3], [part]) == "Boundary+0000000000000003")
        }
        let near = filler + text.dropLast() + Data("2".utf8) + text.dropFirst()
        #expect(try boundary([1, 2], [near]) == "Boundary+0000000000000001")
        #expect(try boundary([2, 1, 3], [near, text]) == "Boundary+0000000000000003")
    }

    @Test(
        "a given boundary is used between parts and in the type, quoted if necessary",
        arguments: [
            ("x-1", "x-1"), ("a b:c", #""a b:c""#), (String(repeating: "z", count: 70), nil),
        ])
    func given(boundary: String, shown: String?) throws {
        var form = MultipartFormData()
        try form.setBoundary(boundary)
        form.appendPart(formData: Data("1".utf8), name: "a")
        let body = try MultipartBody(form)
        #expect(body.contentType == "multipart/form-data; boundary=\(shown ?? boundary)")
        #expect(
            String(decoding: try body.readAll(by: 1 << 16), as: UTF8.self)
                == "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1"
                + "\r\n--\(boundary)--\r\n")
        var whole = MultipartFormData()
        whole.append(form)
        #expect(try MultipartBody(whole).boundary == boundary)
    }

    @Test(
        "an invalid boundary is refused, and the previous one stays (RFC 2046 section 5.1.1)",
        arguments: [
            "", " ", "a ", "a\r\nb", "a;b", "a\"b", "ä", "a\u{0}",
            String(repeating: "z", count: 71),
        ])
    func refused(boundary: String) throws {
        var form = MultipartFormData()
        try form.setBoundary("former")
        #expect(throws: RequestSerializationError.self) { try form.setBoundary(boundary) }
        #expect(form.givenBoundary == "former")
    }

    @Test("a given boundary that occurs in a data part is an error with the part's name")
    func occurring() throws {
        var form = MultipartFormData()
        try form.setBoundary("B")
        form.appendPart(formData: Data("a B, -B".utf8), name: "good")
        #expect(try MultipartBody(form).boundary == "B")
        form.appendPart(formData: Data("\r\n--B--".utf8), name: "bad")
        let failure = partFailure { _ = try MultipartBody(form) }
        #expect(failure?.reason == .boundary("B") && failure?.partName == "bad")
        #expect(failure?.description.contains("set another") == true)
        #expect(throws: MultipartFailure.self) { try formRequest { $0 = form } }
    }

    @Test("the search agrees with a simple one on random bytes from a small alphabet")
    func search() throws {
        var generator = SeededGenerator(seed: 5)
        let text = Array("Boundary+0000000000000000".utf8)
        var found = 0
        for _ in 0..<2000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let start = Int.random(in: 0...2, using: &generator)
                let end = text.count - Int.random(in: 0...2, using: &generator)
                bytes += text[start..<end]
            }
            let occurs =
                bytes.count >= text.count
                && (0...(bytes.count - text.count)).contains { bytes[$0...].starts(with: text) }
            found += occurs ? 1 : 0
            let chosen = try boundary([0, 7], [Data(bytes)])
            #expect(chosen == "Boundary+000000000000000\(occurs ? 7 : 0)")
        }
        #expect(found > 100 && found < 1900)
    }
}
