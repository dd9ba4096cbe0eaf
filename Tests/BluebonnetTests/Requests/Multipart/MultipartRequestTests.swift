import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Requests with a form")
struct MultipartRequestTests {
    /// Returns the names and values of the fields, in order.
    private func fields(_ parameters: Parameters) throws -> [String] {
        let request = try formRequest(parameters: parameters)
        let text = try text(of: #require(request.multipartBody))
        return text.components(separatedBy: "--B").dropFirst().dropLast().map { part in
            let halves = part.components(separatedBy: "\r\n\r\n")
            let name = halves[0].components(separatedBy: "name=")[1]
            return name + "=" + halves[1].dropLast(1)
        }
    }

    @Test("parameters are the first fields, with the order and names of a query")
    func parameters() throws {
        let parameters: Parameters = [
            "b": 2, "a": ["y": ["k": 1.5], "x": [true, "t"] as [any Sendable]] as Parameters,
            "c": NSNull(), "d": Data([0x21, 0x22]), "e": Set(["q", "p"]), "f\"": "ü",
            "g": [] as [Int], "h": [["i": 1], ["i": 2]],
        ]
        #expect(
            try fields(parameters) == [
                #""a[x][]"=1"#, #""a[x][]"=t"#, #""a[y][k]"=1.5"#, #""b"=2"#, #""c"="#,
                #""d"=!""#, #""e"=p"#, #""e"=q"#, #""f%22"=ü"#, #""h[][i]"=1"#, #""h[][i]"=2"#,
            ])
        let request = try formRequest(parameters: ["z": 1]) { form in
            form.appendPart(formData: Data("2".utf8), name: "a")
        }
        let text = try text(of: #require(request.multipartBody))
        let names = text.matches(of: /name="(.)"/).map { String($0.1) }
        #expect(names == ["z", "a"])
    }

    @Test(
        "the serializer's query options apply to fields, but data is raw")
    func options() throws {
        var encoding = QueryEncoding()
        encoding.arrays = .indices
        encoding.booleans = .literal
        encoding.nulls = .null
        encoding.keys = .snakeCase
        let parameters: Parameters = [
            "isNew": [true, false], "b": NSNull(), "c": Data([0x2B]), "d": "x y&z",
        ]
        for serializer in everySerializer {
            let request = try formRequest(parameters: parameters, by: serializer.with(encoding))
            let text = try text(of: #require(request.multipartBody))
            let contents = text.components(separatedBy: "\r\n\r\n").dropFirst()
                .map { $0.components(separatedBy: "\r\n")[0] }
            #expect(contents == ["null", "+", "x y&z", "true", "false"])
            #expect(text.contains("name=\"is_new[1]\""))
        }
    }

    @Test("encoded parameters give the same fields, where the closure appends them")
    func encodable() throws {
        struct Search: Encodable, Sendable {
            var text = "ü"
            var tags = ["a", "b"]
            var page: Int?
        }
        let body = try multipart { form in
            form.appendPart(formData: Data(), name: "first")
            try form.appendParts(parameters: Search())
            try form.appendParts(parameters: nil as Search?)
        }
        let same = try multipart { form in
            form.appendPart(formData: Data(), name: "first")
            try form.appendParts(parameters: ["text": "ü", "tags": ["a", "b"]] as Parameters)
        }
        #expect(try text(of: body) == text(of: same))
        #expect(body.segments.count == 9)
    }

    @Test("a parameter that cannot be encoded is refused with its key path")
    func badParameter() throws {
        let error = #expect(throws: RequestSerializationError.self) {
            try formRequest(parameters: ["a": ["b": Double.nan]])
        }
        #expect(error?.keyPath == "a.b")
    }

    @Test("without parts, the serializer creates the request without parameters")
    func noParts() throws {
        for serializer in everySerializer {
            for method in ["POST", "DELETE"] {
                let plain = try serializer.serialize(request(method), parameters: nil)
                for parameters in [nil, [:], ["a": [] as [Int]]] as [Parameters?] {
                    let request = try formRequest(method, parameters: parameters, by: serializer)
                    #expect(request == plain)
                    #expect(request.allHTTPHeaderFields == plain.allHTTPHeaderFields)
                    #expect(request.httpBody == plain.httpBody && request.httpBodyStream == nil)
                }
            }
        }
    }

    @Test("every serializer creates the same body, with its own headers and the form's type")
    func serializers() throws {
        for serializer in everySerializer {
            var serializer = serializer
            serializer.headers = ["X-A": "b", "Content-Type": "application/json"]
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                let request = try formRequest(method, parameters: ["a": 1], by: serializer)
                let body = try #require(request.multipartBody)
                #expect(try text(of: body).hasSuffix("name=\"a\"\r\n\r\n1\r\n--B--\r\n"))
                #expect(request.httpBody == nil && request.url?.query == nil)
                #expect(request.value(forHTTPHeaderField: "X-A") == "b")
                #expect(request.value(forHTTPHeaderField: "Content-Type") == body.contentType)
                #expect(request.httpMethod == method)
            }
        }
    }

    @Test("GET and HEAD, in any case, are errors that suggest a method")
    func methods() throws {
        for method in ["GET", "HEAD", "get", "Head"] {
            let error = #expect(throws: RequestSerializationError.self) {
                try formRequest(method, parameters: ["a": 1])
            }
            #expect(error?.reason.contains("send POST") == true)
        }
        let url = try #require(URL(string: "http://h/p"))
        let request = try HTTPRequestSerializer().multipartFormRequest(url: url) {
            $0.appendPart(formData: Data(), name: "a")
        }
        #expect(request.httpMethod == "POST" && request.url == url)
    }

    @Test("the closure's error is rethrown")
    func thrown() throws {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) { try formRequest { _ in throw Refusal() } }
    }

    @Test(
        "types follow the last extension of the file's name, in any case",
        arguments: [
            ("a.png", "image/png"), ("A.JPG", "image/jpeg"), ("x.tar.gz", "application/gzip"),
            ("notes.txt", "text/plain"), ("r.pdf", "application/pdf"), ("m.mp4", "video/mp4"),
            ("s.json", "application/json"), ("i.svg", "image/svg+xml"), ("d.csv", "text/csv"),
            ("png", "application/octet-stream"), ("a.", "application/octet-stream"),
            ("a.png.unheard-of", "application/octet-stream"), ("", "application/octet-stream"),
            (".png", "image/png"), ("ä.WebP", "image/webp"),
        ])
    func types(name: String, type: String) throws {
        let body = try multipart {
            try $0.appendPart(fileData: Data(), name: "n", fileName: name)
        }
        #expect(try text(of: body).contains("\r\nContent-Type: \(type)\r\n"))
    }
}

extension RequestSerializer {
    fileprivate func with(_ encoding: QueryEncoding) -> any RequestSerializer {
        switch self {
        case var serializer as HTTPRequestSerializer:
            serializer.queryEncoding = encoding
            return serializer
        case var serializer as JSONRequestSerializer:
            serializer.queryEncoding = encoding
            return serializer
        case var serializer as PropertyListRequestSerializer:
            serializer.queryEncoding = encoding
            return serializer
        default: return self
        }
    }
}
