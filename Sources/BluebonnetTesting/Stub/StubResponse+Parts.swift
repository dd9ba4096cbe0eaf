import Bluebonnet

extension StubResponse {
    /// A response as it is sent, except for the framing of chunks.
    struct Parts {
        let head: Exchange.Head
        /// The body in the pieces in which it is sent.
        let pieces: [Data]
        /// Whether fewer bytes of the body are sent than the head declares.
        let isCutShort: Bool
        let mayHaveBody: Bool
        let trailers: [Exchange.Field]?
        let end: End

        var bodyCount: Int { pieces.reduce(0) { $0 + $1.count } }
        var isChunked: Bool { mayHaveBody && head["Transfer-Encoding"]?.lowercased() == "chunked" }
    }

    /// Returns the parts of the response to a method; nil if there is no response.
    func parts(answering method: String) -> Parts? {
        guard let statusCode else { return nil }
        let allowsBody = statusCode != 204 && statusCode != 304
        let head = Exchange.Head(statusCode: statusCode, fields: allowsBody ? framedFields : fields)
        let mayHaveBody = allowsBody && method != "HEAD"
        let declared = head["Content-Length"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
        let sent = body.prefix(mayHaveBody ? min(declared ?? .max, sentCount ?? .max) : 0)
        return Parts(
            head: head, pieces: pieces(of: sent),
            isCutShort: mayHaveBody && sent.count < declared ?? 0, mayHaveBody: mayHaveBody,
            // A response without a body ends with its head.
            trailers: mayHaveBody ? trailers : nil, end: mayHaveBody ? end : .whole)
    }

    /// The header fields, including one that defines where the body ends.
    private var framedFields: [Exchange.Field] {
        var fields = fields
        if trailers != nil {
            // Only a chunked body can have trailers.
            fields.removeAll(where: \.isFraming)
            fields.append(Exchange.Field(name: "Transfer-Encoding", value: "chunked"))
        } else if !fields.contains(where: \.isFraming) {
            fields.append(Exchange.Field(name: "Content-Length", value: "\(body.count)"))
        }
        return fields
    }

    private func pieces(of body: Data) -> [Data] {
        var (pieces, rest) = ([Data](), body[...])
        while !rest.isEmpty {
            let piece = rest.prefix(pieceSize ?? .max)
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}

extension Exchange.Field {
    /// Whether the field defines where the body ends.
    fileprivate var isFraming: Bool {
        ["content-length", "transfer-encoding"].contains(name.lowercased())
    }
}
