import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

/// Forms read by independent parsers.
@Suite("Reading forms back", .timeLimit(.minutes(5)))
struct MultipartParserTests {
    /// A part as a parser reports it.
    struct Part: Codable, Hashable {
        var name: String
        var fileName: String?
        var type: String?
        /// The content in Base64.
        var content: String

        init(_ name: String, _ content: [UInt8], fileName: String? = nil, type: String? = nil) {
            self.name = name
            self.fileName = fileName
            self.type = type
            self.content = Data(content).base64EncodedString()
        }
    }

    let directory: ServerDirectory

    init() throws {
        directory = try ServerDirectory()
    }

    /// Every byte, and sequences that look like the end of a line or of a part.
    static let contents: [[UInt8]] = [
        [], Array(0...255), Array("\r\n".utf8), Array("--\r\n\r\n--".utf8), [13], [10],
        Array("\r\n--Boundary+".utf8), DeterministicBytes.prefix(100_000),
        Array("text with ünïcode ☃".utf8),
    ]

    static let names = ["plain", "naïve ☃", "q\"uote", "c\r\nr", "a[b][]", "semi;colon", " "]

    /// Appends each content as a field, data, a file and a stream, and returns what a parser must
    /// see.
    func construct(_ form: inout MultipartFormData) throws -> [Part] {
        var parts: [Part] = []
        for (number, content) in Self.contents.enumerated() {
            let name = Self.names[number % Self.names.count]
            let seen = name.replacing("\"", with: "%22").replacing("\r\n", with: "%0D%0A")
            form.appendPart(formData: Data(content), name: name)
            parts.append(Part(seen, content))
            try form.appendPart(fileData: Data(content), name: name, fileName: name + ".png")
            parts.append(Part(seen, content, fileName: seen + ".png", type: "image/png"))
            let file = directory.path(of: "\(number).txt")
            try Data(content).write(to: URL(fileURLWithPath: file))
            try form.appendPart(fileURL: URL(fileURLWithPath: file), name: name)
            parts.append(Part(seen, content, fileName: "\(number).txt", type: "text/plain"))
            try form.appendPart(length: Int64(content.count), name: name, fileName: "s") {
                InputStream(data: Data(content))
            }
            let type = "application/octet-stream"
            parts.append(Part(seen, content, fileName: "s", type: type))
        }
        return parts
    }

    /// Reads a body with Python's `email` package.
    static let emailScript = """
        import base64, email.parser, json, sys
        def text(value):
            return value and str(value).encode('utf-8', 'surrogateescape').decode('utf-8')
        head = ('Content-Type: ' + sys.argv[2] + '\\r\\n\\r\\n').encode()
        message = email.parser.BytesParser().parsebytes(head + open(sys.argv[1], 'rb').read())
        assert message.is_multipart() and not message.defects, message.defects
        parts = []
        for part in message.get_payload():
            assert not part.defects, part.defects
            field = dict(part.raw_items())['Content-Disposition']
            assert field.startswith('form-data; '), field
            items = dict(item.split('=', 1) for item in text(field)[11:-1].split('"; '))
            content = part.get_payload(decode=True)
            parts.append({'name': items['name'][1:], 'type': part['Content-Type'],
                'content': base64.b64encode(content).decode()})
            if 'filename' in items: parts[-1]['fileName'] = items['filename'][1:]
        print(json.dumps(parts))
        """

    /// Reads a body with Werkzeug, Flask's parser, which httpbin brings along.
    static let werkzeugScript = """
        import base64, glob, json, sys
        sys.path += glob.glob(sys.argv[3] + '/lib/python3*/site-packages')
        from werkzeug.http import parse_options_header
        from werkzeug.sansio import multipart
        boundary = parse_options_header(sys.argv[2])[1]['boundary']
        decoder = multipart.MultipartDecoder(boundary.encode())
        decoder.receive_data(open(sys.argv[1], 'rb').read())
        decoder.receive_data(None)
        parts = []
        while not isinstance(event := decoder.next_event(), multipart.Epilogue):
            if isinstance(event, multipart.Data):
                parts[-1]['content'] += event.data
            elif not isinstance(event, multipart.Preamble):
                parts.append({'name': event.name, 'type': event.headers.get('Content-Type'),
                    'content': b''})
                if isinstance(event, multipart.File): parts[-1]['fileName'] = event.filename
        for part in parts: part['content'] = base64.b64encode(part['content']).decode()
        print(json.dumps(parts))
        """

    @Test("Python's email package reads every name, type and byte")
    func email() async throws {
        var form = MultipartFormData()
        let expected = try construct(&form)
        let body = directory.path(of: "body")
        let type = try await form.write(to: URL(fileURLWithPath: body))
        let output = try await PythonScript.run(Self.emailScript, body, type)
        #expect(try JSONDecoder().decode([Part].self, from: output) == expected)
    }

    @Test("Werkzeug reads every name, type and byte")
    func werkzeug() async throws {
        var form = MultipartFormData()
        var expected = try construct(&form)
        for index in expected.indices {
            // It decodes a quote, as a browser encodes it.
            expected[index].name.replace("%22", with: "\"")
            expected[index].fileName?.replace("%22", with: "\"")
        }
        let body = directory.path(of: "body")
        let type = try await form.write(to: URL(fileURLWithPath: body))
        let packages = PackageDirectory.url(of: ".build/httpbin").path
        let output = try await PythonScript.run(Self.werkzeugScript, body, type, packages)
        #expect(try JSONDecoder().decode([Part].self, from: output) == expected)
    }

    @Test("httpbin reads fields of parameters, and files, with their length")
    func httpbin() async throws {
        struct Answer: Decodable {
            let form: [String: [String]]
            let files: [String: String]
            let headers: [String: String]

            enum Key: CodingKey { case form, files, headers }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                // A field that occurs once is a string, and a repeated one is an array.
                form = (try container.decode([String: OneOrMore].self, forKey: .form))
                    .mapValues(\.values)
                files = try container.decode([String: String].self, forKey: .files)
                headers = try container.decode([String: String].self, forKey: .headers)
            }
        }
        let server = try await HTTPBinServer()
        let manager = HTTPSessionManager(baseURL: URL(string: server.url("")))
        let file = directory.path(of: "poem.txt")
        try directory.write("roses\r\nare ☃\n", to: "poem.txt")
        for method in ["post", "put", "patch"] {
            let construct: (inout MultipartFormData) throws -> Void = { form in
                try form.appendPart(fileURL: URL(fileURLWithPath: file), name: "poem")
                try form.appendPart(
                    fileData: Data([0, 255, 13, 10]), name: "raw", fileName: "r\"aw")
            }
            let parameters: Parameters = ["a": [1, 2], "b": ["ü": "x\r\ny"], "n": NSNull()]
            let answer: Answer = try await manager.upload(
                .form(try MultipartFormData(construct), parameters: parameters), to: method,
                method: HTTPMethod(rawValue: method.uppercased()))
            #expect(answer.form == ["a[]": ["1", "2"], "b[ü]": ["x\r\ny"], "n": [""]])
            #expect(answer.files["poem"] == "roses\r\nare ☃\n")
            #expect(answer.files["raw"] == "data:application/octet-stream;base64,AP8NCg==")
            #expect(answer.headers["Content-Length"].flatMap { Int($0) } != nil)
            #expect(answer.headers["Transfer-Encoding"] == nil)
        }
    }

    @Test("nginx receives exactly the bytes that the form writes to a file")
    func nginx() async throws {
        let server = try await NginxServer()
        let manager = HTTPSessionManager(baseURL: URL(string: server.url("")))
        let serializer = manager.requestSerializer
        let url = try #require(URL(string: server.url("uploads/form")))
        let request = try serializer.multipartFormRequest(method: .put, url: url) {
            _ = try construct(&$0)
        }
        let response = await manager.response(for: request, serializer: HTTPResponseSerializer())
        #expect(response.error == nil)
        let body = URL(fileURLWithPath: directory.path(of: "body"))
        let plain = try await serializer.request(
            withMultipartFormRequest: request, writingBodyTo: body)
        #expect(try Data(contentsOf: server.uploadedFile("form")) == Data(contentsOf: body))
        let again = await manager.upload(
            for: plain, fromFile: body, serializer: HTTPResponseSerializer())
        #expect(again.error == nil)
        #expect(try Data(contentsOf: server.uploadedFile("form")) == Data(contentsOf: body))
    }
}

/// A value or an array of values.
private struct OneOrMore: Decodable {
    let values: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        values =
            if let one = try? container.decode(String.self) { [one] } else {
                try container.decode([String].self)
            }
    }
}
