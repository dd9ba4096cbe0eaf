import Bluebonnet

extension Interaction {
    /// The interaction as JSON for a cassette.
    var json: JSONValue {
        var (failure, isCancelled): (JSONValue?, JSONValue?)
        switch end {
        case .whole: break
        case .failure(let reason): failure = reason.json
        case .cancelled: isCancelled = .true
        }
        let hasFailed = failure != nil
        return .object([
            "request": request.json, "response": response?.json,
            "failure": failure, "cancelled": isCancelled,
            "requestWasSent": hasFailed
                ? wasSent.map { JSONValue(content: .literal("\($0)")) } : nil,
        ])
    }
}

extension RecordedRequest {
    fileprivate var json: JSONValue {
        .object([
            "method": .string(method), "url": .string(url),
            "headers": fields.isEmpty ? nil : fields.json,
            "body": body.map(\.json) ?? .object(["unread": .true]),
        ])
    }
}

extension RecordedResponse {
    fileprivate var json: JSONValue {
        .object([
            "status": .number(statusCode), "version": version.isEmpty ? nil : .string(version),
            "milliseconds": body.pieces == nil ? nil : .number(delay.milliseconds),
            "headers": fields.isEmpty ? nil : fields.json,
            "removedCodings": codings.flatMap { $0.removed.isEmpty ? nil : .strings($0.removed) },
            "unknownCodings": codings.flatMap { $0.unknown.isEmpty ? nil : .strings($0.unknown) },
            "body": body.json, "trailers": trailers?.json,
        ])
    }
}

extension [Exchange.Field] {
    fileprivate var json: JSONValue { .strings(map { "\($0.name): \($0.value)" }) }
}

extension RecordedBody {
    /// The maximum nesting of a body that is stored as JSON; cassettes can be read slightly deeper.
    static let depthLimit = 100
    /// The number of bytes that one line of Base64 encodes.
    private static let lineLength = 57

    /// The body as JSON for a cassette; nil if it is empty.
    fileprivate var json: JSONValue? {
        if let pieces { return pieces.isEmpty ? nil : .object(["pieces": json(of: pieces)]) }
        guard !data.isEmpty else { return nil }
        if isJSON, let json = try? CassetteJSONReader.read(data, depthLimit: Self.depthLimit) {
            return .object(["json": json])
        }
        return Self.json(of: data)
    }

    private func json(of pieces: [Piece]) -> JSONValue {
        var rest = data[...]
        let values = pieces.map { piece in
            let bytes = rest.prefix(piece.count)
            rest = rest.dropFirst(piece.count)
            return Self.json(of: bytes, after: piece.delay)
        }
        return JSONValue(content: .array(values))
    }

    private static func json(of bytes: Data, after delay: Duration? = nil) -> JSONValue {
        let text = bytes.plainText
        return .object([
            "milliseconds": delay.map { .number($0.milliseconds) },
            "text": text.map { lines(of: $0) }, "base64": text == nil ? base64(bytes) : nil,
        ])
    }

    /// Returns a text as a string, or several lines as an array with their line breaks.
    private static func lines(of text: String) -> JSONValue {
        var lines: [String] = []
        var rest = text.utf8[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map(rest.index(after:))
            lines.append(String(Substring(rest[..<(end ?? rest.endIndex)])))
            rest = rest[(end ?? rest.endIndex)...]
        }
        return lines.count > 1 ? .strings(lines) : .string(text)
    }

    private static func base64(_ bytes: Data) -> JSONValue {
        var (lines, rest): ([String], Data) = ([], bytes)
        while !rest.isEmpty {
            lines.append(rest.prefix(lineLength).base64EncodedString())
            rest = rest.dropFirst(lineLength)
        }
        return lines.count == 1 ? .string(lines[0]) : .strings(lines)
    }
}

extension Exchange.Failure {
    /// The encoded failure, without members that are false, and with header fields as lines.
    fileprivate var json: JSONValue? {
        var failure = self
        failure.proxyFields = []
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(failure),
            let encoded = try? CassetteJSONReader.read(data),
            case .object(var members) = encoded.content
        else { return nil }
        members.removeAll { $0.value.compactText == "false" }
        let first = members.filter { ["code", "message"].contains($0.key.text) }
        members = first + members.filter { !["code", "message"].contains($0.key.text) }
        if !proxyFields.isEmpty {
            members.append(.init(key: JSONString("proxyHeaders"), value: proxyFields.json))
        }
        return JSONValue(content: .object(members))
    }
}

extension Data {
    /// The bytes as text; nil if they are not UTF-8 or contain control characters.
    var plainText: String? {
        guard let text = String(validating: self, as: UTF8.self) else { return nil }
        let isPlain = text.utf8.allSatisfy {
            $0 >= 0x20 && $0 != 0x7F || "\t\n\r".utf8.contains($0)
        }
        return isPlain ? text : nil
    }
}

extension Duration {
    /// The number of milliseconds, clamped to the range that ``CassetteReader`` accepts.
    fileprivate var milliseconds: Int {
        let delays = CassetteReader.delays
        let rounded = (self / .milliseconds(1)).rounded()
        return Int(min(max(Double(delays.lowerBound), rounded), Double(delays.upperBound)))
    }
}
