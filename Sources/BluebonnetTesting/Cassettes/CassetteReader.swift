import Bluebonnet

/// Creates interactions from the JSON of a cassette.
///
/// It checks everything, because people edit cassettes.
enum CassetteReader {
    typealias Fault = CassetteJSONReader.Fault

    static func interactions(in value: JSONValue) throws(Fault) -> [Interaction] {
        var cassette = try CassetteObject(value, "the cassette")
        let version = try cassette.need("cassetteVersion")
        guard version.integer == CassetteFile.version else {
            throw version.fault(
                "the cassette has version \(version.compactText.prefix(20)), but this library reads version "
                    + "\(CassetteFile.version)")
        }
        let values = try cassette.list("interactions")
        try cassette.finish()
        guard let values else { throw cassette.fault("the cassette has no \"interactions\"") }
        var interactions: [Interaction] = []
        for value in values { interactions.append(try interaction(value)) }
        return interactions
    }

    private static func interaction(_ value: JSONValue) throws(Fault) -> Interaction {
        var object = try CassetteObject(value, "an interaction")
        var interaction = Interaction(request: try request(object.need("request")))
        interaction.line = value.line
        if let value = object.take("response") { interaction.response = try response(value) }
        if let value = object.take("failure") {
            interaction.end = .failure(try failure(value))
            interaction.wasSent = try object.boolean("requestWasSent")
        } else if try object.boolean("cancelled") == true {
            interaction.end = .cancelled
        } else if interaction.response == nil {
            throw object.fault(
                "an interaction has neither \"response\" nor \"failure\" nor \"cancelled\"")
        }
        try object.finish()
        return interaction
    }

    private static func request(_ value: JSONValue) throws(Fault) -> RecordedRequest {
        var object = try CassetteObject(value, "a request")
        let method = try object.need("method")
        guard let name = method.text, name.isToken else {
            throw method.fault("\"method\" is not an HTTP method such as \"GET\"")
        }
        let url = try object.need("url")
        guard let text = url.text, RequestURL(text) != nil else {
            throw url.fault("\"url\" is not an absolute http or https URL")
        }
        var request = RecordedRequest(
            method: name, url: text, fields: try fields(&object, "headers"))
        if let value = object.take("body") { request.body = try requestBody(value) }
        try object.finish()
        return request
    }

    private static func requestBody(_ value: JSONValue) throws(Fault) -> RecordedBody? {
        var object = try CassetteObject(value, "a body")
        guard try object.boolean("unread") == true else { return try body(value) }
        try object.finish()
        return nil
    }

    private static func response(_ value: JSONValue) throws(Fault) -> RecordedResponse {
        var object = try CassetteObject(value, "a response")
        guard let statusCode = try object.integer("status", in: 100...999) else {
            throw object.fault("a response has no \"status\"")
        }
        var response = RecordedResponse(
            statusCode: statusCode, fields: try fields(&object, "headers"))
        if let version = object.take("version") {
            guard let text = version.text else {
                throw version.fault("\"version\" is \(version.kind), but must be a string")
            }
            response.version = text
        }
        response.delay = .milliseconds(try object.integer("milliseconds", in: delays) ?? 0)
        let removed = try object.texts("removedCodings")
        let unknown = try object.texts("unknownCodings")
        if removed != nil || unknown != nil {
            response.codings = .init(removed: removed ?? [], unknown: unknown ?? [])
        }
        if let value = object.take("body") { response.body = try body(value) }
        let trailers = try fields(&object, "trailers")
        if !trailers.isEmpty { response.trailers = trailers }
        try object.finish()
        return response
    }

    /// The delays that are accepted, in milliseconds: up to one day.
    static let delays = 0...86_400_000

    // MARK: Bodies

    private static func body(_ value: JSONValue) throws(Fault) -> RecordedBody {
        var object = try CassetteObject(value, "a body")
        var body = RecordedBody()
        if let json = object.take("json") {
            body = RecordedBody(data: Data(json.compactText.utf8), isJSON: true)
        } else if let values = try object.list("pieces") {
            body.pieces = []
            for value in values {
                var piece = try CassetteObject(value, "a piece")
                let delay = try piece.integer("milliseconds", in: delays) ?? 0
                let data = try bytes(&piece, "a piece")
                body.data += data
                body.pieces?.append(.init(delay: .milliseconds(delay), count: data.count))
            }
        } else {
            body.data = try bytes(&object, "a body", orElse: "\"json\", \"pieces\", ")
        }
        try object.finish()
        return body
    }

    private static func bytes(
        _ object: inout CassetteObject, _ what: String, orElse others: String = ""
    ) throws(Fault) -> Data {
        if let value = object.take("text") {
            let lines = try lines(of: value, "text")
            try object.finish()
            return Data(lines.map(\.text).joined().utf8)
        }
        guard let value = object.take("base64") else {
            throw object.fault("\(what) has none of \(others)\"text\" and \"base64\"")
        }
        var data = Data()
        for line in try lines(of: value, "base64") {
            guard let bytes = Data(base64Encoded: line.text) else {
                throw Fault(line: line.line, message: "the text of \"base64\" is not Base64")
            }
            data += bytes
        }
        try object.finish()
        return data
    }

    /// Returns a string or the strings of an array, with their lines.
    private static func lines(
        of value: JSONValue, _ key: String
    ) throws(Fault) -> [(text: String, line: Int)] {
        var values = [value]
        if case .array(let elements) = value.content { values = elements }
        var lines: [(text: String, line: Int)] = []
        for value in values {
            guard let text = value.text else {
                throw value.fault(
                    "\"\(key)\" is \(value.kind), but must be a string or an array of strings")
            }
            lines.append((text, value.line))
        }
        return lines
    }
}
