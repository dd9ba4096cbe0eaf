/// A request whose body has arrived in full.
struct ParsedRequest {
    let head: RequestHead
    let body: [UInt8]
}

/// Parses the bytes of a connection into requests, one at a time.
struct RequestParser {
    enum Event {
        case incomplete
        case continueExpected
        case request(ParsedRequest)
        case rejected(RequestRejection)
    }

    private enum Phase {
        case head(searched: Int)
        case fixedBody(RequestHead, remaining: Int)
        case chunkedBody(RequestHead, ChunkedBodyDecoder)
    }

    private static let headEnd = Array("\r\n\r\n".utf8)
    private static let headLimit = 1 << 20
    private static let bodyLimit = 2 << 30

    private var phase = Phase.head(searched: 0)
    private var body: [UInt8] = []

    /// Whether no part of a request has been consumed yet.
    var isBetweenRequests: Bool {
        if case .head = phase { return true }
        return false
    }

    mutating func next(from input: inout InputBuffer) -> Event {
        do throws(RequestRejection) {
            switch phase {
            case .head(let searched):
                return try parseHead(&input, searched: searched)
            case .fixedBody(let head, let remaining):
                let taken = input.take(upTo: remaining)
                body.append(contentsOf: taken)
                if taken.count == remaining { return finish(head) }
                phase = .fixedBody(head, remaining: remaining - taken.count)
            case .chunkedBody(let head, var decoder):
                if try decoder.decode(&input, into: &body) { return finish(head) }
                phase = .chunkedBody(head, decoder)
                if body.count > Self.bodyLimit { throw Self.bodyTooLarge }
            }
            return .incomplete
        } catch {
            return .rejected(error)
        }
    }

    private mutating func parseHead(
        _ input: inout InputBuffer, searched: Int
    ) throws(RequestRejection) -> Event {
        guard let bytes = input.take(before: Self.headEnd, searchFrom: searched) else {
            guard input.count <= Self.headLimit else {
                throw RequestRejection(status: 431, reason: "size of the header section")
            }
            // The input can end with part of the delimiter, so its last bytes are searched again.
            phase = .head(searched: max(0, input.count - Self.headEnd.count + 1))
            return .incomplete
        }
        let head = try RequestHeadParser.parse(bytes)
        switch head.framing {
        case .length(0):
            return finish(head)
        case .length(let length):
            guard length <= Self.bodyLimit else { throw Self.bodyTooLarge }
            phase = .fixedBody(head, remaining: length)
        case .chunked:
            phase = .chunkedBody(head, ChunkedBodyDecoder())
        }
        // A client that has already started the body does not wait for `100 Continue`.
        if head.expectsContinue, input.isEmpty { return .continueExpected }
        return next(from: &input)
    }

    private mutating func finish(_ head: RequestHead) -> Event {
        let request = ParsedRequest(head: head, body: body)
        phase = .head(searched: 0)
        body = []
        return .request(request)
    }

    private static let bodyTooLarge = RequestRejection(status: 413, reason: "size of the body")
}
