import Testing

import Bluebonnet

@Suite("HTTPHeaders")
struct HTTPHeadersTests {
    @Test("fields keep their order, and those of a dictionary are sorted by name")
    func order() {
        let headers: HTTPHeaders = ["B": "1", "A": "2", "b": "3"]
        #expect(headers.map(\.name) == ["B", "A", "b"])
        #expect(HTTPHeaders(["B": "1", "A": "2"] as [String: String]).map(\.name) == ["A", "B"])
    }

    @Test("names are found in any case, and the first of several values is returned")
    func lookup() {
        let headers: HTTPHeaders = ["Accept": "a", "ACCEPT": "b"]
        #expect(headers["accept"] == "a")
        #expect(headers.values(of: "aCCept") == ["a", "b"])
        #expect(headers.contains("accepT"))
        #expect(!headers.contains("Accept-Language"))
        #expect(headers["X"] == nil)
    }

    @Test("setting replaces all fields of the name at the position of the first")
    func set() {
        var headers: HTTPHeaders = ["X": "0", "A": "1", "B": "2", "a": "3"]
        headers["a"] = "4"
        #expect(headers == ["X": "0", "A": "4", "B": "2"])
        headers["C"] = "5"
        #expect(headers.map(\.value) == ["0", "4", "2", "5"])
        #expect(headers.map(\.name) == ["X", "a", "B", "C"])
    }

    @Test("a description has a line for each field, with its secrets redacted")
    func description() {
        let headers: HTTPHeaders = ["X-A": "1", "authorization": "hunter2", "X-B": "2"]
        #expect("\(headers)" == "X-A: 1\nauthorization: <redacted>\nX-B: 2")
        #expect("\(HTTPHeaders())" == "")
    }

    @Test("setting nil and removing remove all fields of the name")
    func remove() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        headers["a"] = nil
        #expect(headers == ["B": "2"])
        headers.remove("b")
        #expect(headers == [:])
    }

    @Test("adding keeps the existing fields")
    func add() {
        var headers: HTTPHeaders = ["A": "1"]
        headers.add("a", "2")
        #expect(headers.values(of: "A") == ["1", "2"])
    }

    @Test("equal headers can differ in the case of names, but not in order, values or number")
    func equality() {
        let headers: HTTPHeaders = ["A": "x", "B": "y"]
        #expect(headers == ["a": "x", "b": "y"])
        #expect(headers != ["B": "y", "A": "x"])
        #expect(headers != ["A": "X", "B": "y"])
        #expect(headers != ["A": "x"])
    }
}
