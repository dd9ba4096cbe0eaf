/// The routes of every server, unless a test registers its own for the same path.
///
/// - `/json`, `/xml`, `/plist`, `/text`: a small body of that type
/// - `/status/N`: status code N, with a JSON body if the status code allows one
/// - `/delay/MS`: the JSON body after MS milliseconds; `/hang`: no reply
/// - `/bytes/N`, `/chunked/N`, `/gzip/N`: N bytes of `DeterministicBytes`
/// - `/drip/N/MS`: N bytes, one every MS milliseconds; `/endless`: an endless body
/// - `/echo`: the request as JSON; `/echo-body`: the request's body and content type
/// - `/gzip`, `/deflate`: the JSON body with that content coding
/// - `/redirect/N`: N redirects, the last one to `/json`; `/redirect-to?url=...&status=...`
/// - `/headers/N`: the JSON body with N extra header fields
enum BuiltInRoutes {
    private static let largestHeaderCount = 100_000

    static func reply(to request: FixtureRequest) -> FixtureReply {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let name = parts.first.map(String.init) ?? ""
        let numbers = parts.dropFirst().map { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        switch numbers.count {
        case 0: return reply(named: name, to: request) ?? notFound(request)
        case 1:
            guard let number = numbers[0] else { return notFound(request) }
            return reply(named: name, number: number) ?? notFound(request)
        case 2:
            guard name == "drip", let count = numbers[0], let pause = numbers[1] else {
                return notFound(request)
            }
            return StreamedReplies.drip(count, every: pause)
        default: return notFound(request)
        }
    }

    private static func reply(named name: String, to request: FixtureRequest) -> FixtureReply? {
        switch name {
        case "json": .json(SampleDocuments.json)
        case "text": .text(SampleDocuments.text)
        case "xml": document(SampleDocuments.xml, type: "application/xml")
        case "plist": document(SampleDocuments.propertyList, type: "application/x-plist")
        case "echo": EchoReplies.description(of: request)
        case "echo-body": EchoReplies.body(of: request)
        case "gzip": CompressedReplies.gzipJSON()
        case "deflate": CompressedReplies.deflateJSON()
        case "redirect-to": RedirectReplies.redirect(query: request.query)
        case "hang": .script([.hold])
        case "endless": StreamedReplies.endless()
        default: nil
        }
    }

    private static func reply(named name: String, number: Int) -> FixtureReply? {
        switch name {
        case "status": status(number)
        case "delay": .delayed(by: number, .json(SampleDocuments.json))
        case "bytes": StreamedReplies.bytes(number)
        case "chunked": StreamedReplies.chunked(number)
        case "gzip": CompressedReplies.gzipBytes(number)
        case "redirect": RedirectReplies.countdown(number)
        case "headers": extraHeaders(number)
        default: nil
        }
    }

    private static func document(_ text: String, type: String) -> FixtureReply {
        .response(status: 200, headers: [("Content-Type", type)], body: Array(text.utf8))
    }

    private static func status(_ status: Int) -> FixtureReply? {
        // After an interim status code, the client would wait for a final one.
        guard (200...999).contains(status) else { return nil }
        guard ReplyHead.allowsBody(status) else { return .response(status: status) }
        return .json("{\"status\":\(status),\"error\":\"status \(status)\"}", status: status)
    }

    private static func extraHeaders(_ count: Int) -> FixtureReply? {
        guard count <= largestHeaderCount else { return nil }
        let extra = (0..<count).map { ("X-\($0 + 1)", "value-\($0 + 1)") }
        return .response(
            status: 200, headers: [("Content-Type", "application/json")] + extra,
            body: Array(SampleDocuments.json.utf8))
    }

    private static func notFound(_ request: FixtureRequest) -> FixtureReply {
        let path = JSONText.string(request.path)
        return .json("{\"status\":404,\"error\":\"not found\",\"path\":\(path)}", status: 404)
    }
}
