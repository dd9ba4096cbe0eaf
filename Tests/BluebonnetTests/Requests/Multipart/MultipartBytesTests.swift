import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("The bytes of a form")
struct MultipartBytesTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("fields, files and streams are separated by boundaries, byte for byte")
    func bytes() throws {
        let file = try directory.write(Array("PNG\r\n".utf8), to: "tiny.png")
        let body = try multipart { form in
            form.appendPart(formData: Data("at the lake".utf8), name: "caption")
            try form.appendPart(fileData: Data("{}".utf8), name: "meta", fileName: "meta.json")
            try form.appendPart(fileURL: file, name: "photo")
            try form.appendPart(length: 3, name: "raw", fileName: "raw", mimeType: "x/y") {
                InputStream(data: Data("abc".utf8))
            }
        }
        let expected = [
            "--B", "Content-Disposition: form-data; name=\"caption\"", "", "at the lake",
            "--B", "Content-Disposition: form-data; name=\"meta\"; filename=\"meta.json\"",
            "Content-Type: application/json", "", "{}",
            "--B", "Content-Disposition: form-data; name=\"photo\"; filename=\"tiny.png\"",
            "Content-Type: image/png", "", "PNG\r\n",
            "--B", "Content-Disposition: form-data; name=\"raw\"; filename=\"raw\"",
            "Content-Type: x/y", "", "abc",
            "--B--", "",
        ].joined(separator: "\r\n")
        #expect(try text(of: body) == expected)
        #expect(body.boundary.contains(/^Boundary\+[0-9A-F]{16}$/))
    }

    @Test("empty contents have headers and nothing before the next boundary")
    func empty() throws {
        let file = try directory.write([], to: "empty")
        let body = try multipart { form in
            form.appendPart(formData: Data(), name: "")
            try form.appendPart(fileURL: file, name: "f", mimeType: "a/b")
            try form.appendPart(length: 0, name: "s", fileName: "s", mimeType: "a/b") {
                InputStream(data: Data())
            }
        }
        let expected = [
            "--B", "Content-Disposition: form-data; name=\"\"", "", "",
            "--B", "Content-Disposition: form-data; name=\"f\"; filename=\"empty\"",
            "Content-Type: a/b", "", "",
            "--B", "Content-Disposition: form-data; name=\"s\"; filename=\"s\"",
            "Content-Type: a/b", "", "", "--B--", "",
        ].joined(separator: "\r\n")
        #expect(try text(of: body) == expected)
        #expect(try body.readAll(by: 7).count == Int(body.length))
    }

    @Test("a field with a type has no file name, and its name is escaped as usual")
    func typedField() throws {
        let body = try multipart { form in
            try form.appendPart(formData: Data("{}".utf8), name: "a\"\r\nb", mimeType: "a/json")
        }
        let expected = [
            "--B", "Content-Disposition: form-data; name=\"a%22%0D%0Ab\"", "Content-Type: a/json",
            "",
            "{}", "--B--", "",
        ].joined(separator: "\r\n")
        #expect(try text(of: body) == expected)
        let failure = partFailure {
            var form = MultipartFormData()
            try form.appendPart(formData: Data(), name: "a", mimeType: "a/b\r\nX: 1")
        }
        #expect(failure?.partName == "a")
    }

    @Test("Content-Type has the boundary, and Content-Length is exact")
    func fields() throws {
        for count in [0, 1, 9, 10, 99, 100, 70_000] {
            let request = try formRequest { form in
                form.appendPart(formData: Data(count: count), name: "ä")
                try form.appendPart(fileData: Data(count: 3), name: "b", fileName: "c.txt")
            }
            let body = try #require(request.multipartBody)
            let bytes = try body.readAll(by: 4096)
            #expect(request.value(forHTTPHeaderField: "Content-Length") == "\(bytes.count)")
            #expect(body.length == Int64(bytes.count))
            #expect(
                request.value(forHTTPHeaderField: "Content-Type")
                    == "multipart/form-data; boundary=\(body.boundary)")
            #expect(bytes.starts(with: "--\(body.boundary)\r\n".utf8))
        }
    }

    @Test(
        "names are UTF-8 with escaped quotes, CR and LF, and there is no filename*",
        arguments: [
            ("plain name", "plain name"), ("naïve ☃ 😀", "naïve ☃ 😀"), ("a\"b", "a%22b"),
            ("a\rb\nc\r\nd", "a%0Db%0Ac%0D%0Ad"), ("100%22;\\'\t", "100%22;\\'\t"),
            ("\"; filename=\"x\r\n\r\n--B--", "%22; filename=%22x%0D%0A%0D%0A--B--"),
            ("e\u{301}\"\u{301}", "e\u{301}%22\u{301}"), ("a[b][]", "a[b][]"),
        ])
    func names(name: String, escaped: String) throws {
        let body = try multipart { form in
            form.appendPart(formData: Data(), name: name)
            try form.appendPart(fileData: Data(), name: name, fileName: name, mimeType: "a/b")
        }
        let bytes = try body.readAll(by: 4096)
        let expected = [
            "--\(body.boundary)", "Content-Disposition: form-data; name=\"\(escaped)\"", "", "",
            "--\(body.boundary)",
            "Content-Disposition: form-data; name=\"\(escaped)\"; filename=\"\(escaped)\"",
            "Content-Type: a/b", "", "", "--\(body.boundary)--", "",
        ].joined(separator: "\r\n")
        // As bytes, because equal strings can have different scalars.
        #expect(bytes == Array(expected.utf8))
    }

    @Test("a part with its own headers has them in order, or none at all")
    func ownHeaders() throws {
        let body = try multipart { form in
            try form.appendPart(
                headers: ["X-b": "ü", "Content-Disposition": "form-data; name=x", "x-B": ""],
                body: Data("1".utf8))
            try form.appendPart(headers: [:], body: Data("2".utf8))
        }
        let expected = [
            "--B", "X-b: ü", "Content-Disposition: form-data; name=x", "x-B: ", "", "1",
            "--B", "", "2", "--B--", "",
        ].joined(separator: "\r\n")
        #expect(try text(of: body) == expected)
    }

    @Test(
        "header fields and types with line breaks or bad tokens are errors with the part's name",
        arguments: [("A", "b\r\nC: d"), ("A", "b\nc"), ("A b", "c"), ("", "c"), ("A:", "\u{0}")])
    func badHeaders(name: String, value: String) throws {
        let failure = partFailure {
            _ = try multipart { form in
                form.appendPart(formData: Data(), name: "first")
                try form.appendPart(headers: [name: value], body: Data())
            }
        }
        #expect(failure?.partNumber == 2 && failure?.partName == nil)
        guard name == "A" else { return }
        let typed = partFailure {
            _ = try multipart {
                try $0.appendPart(fileData: Data(), name: "n", fileName: "f", mimeType: value)
            }
        }
        #expect(typed?.partName == "n" && typed?.description.contains("\"n\"") == true)
    }

    @Test("a negative length, or one that overflows the total, is an error with the part's name")
    func badLengths() throws {
        for lengths in [[-1], [Int64.max], [1, Int64.max - 100, 200]] as [[Int64]] {
            let failure = partFailure {
                _ = try multipart { form in
                    for length in lengths {
                        try form.appendPart(length: length, name: "n\(length)", fileName: "f") {
                            InputStream(data: Data())
                        }
                    }
                }
            }
            #expect(failure?.partName != nil)
        }
    }
}
