extension FixtureReply {
    /// A reply with a status line, header fields and a body.
    ///
    /// `Content-Length` is added unless the headers contain it or `Transfer-Encoding`. If the
    /// status code allows no body, none is sent. With a `Connection: close` field, the server
    /// closes the connection after the reply. Nothing is checked or escaped, so a test can also
    /// send malformed fields.
    public static func response(
        status: Int, reason: String? = nil, headers: [(String, String)] = [], body: [UInt8] = []
    ) -> FixtureReply {
        var headers = headers
        if !ReplyHead.hasFraming(headers), let length = ReplyHead.length(of: body, status: status) {
            headers.append(("Content-Length", String(length)))
        }
        let allowsBody = ReplyHead.allowsBody(status)
        return streamed(
            status: status, reason: reason, headers: headers,
            body: allowsBody && !body.isEmpty ? .send(body) : nil)
    }

    /// A reply with a JSON body.
    ///
    /// The text is sent unchanged, with `Content-Type: application/json`.
    public static func json(_ text: String, status: Int = 200) -> FixtureReply {
        .response(
            status: status, headers: [("Content-Type", "application/json")],
            body: Array(text.utf8))
    }

    /// A reply with a plain text body.
    ///
    /// The text is sent in UTF-8 with `Content-Type: text/plain; charset=utf-8`.
    public static func text(_ text: String, status: Int = 200) -> FixtureReply {
        .response(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
            body: Array(text.utf8))
    }

    /// A reply with exactly these characters, followed by one more step.
    ///
    /// Nothing is added, so the text must contain the status line and all line endings.
    public static func raw(_ text: String, then step: Step = .close) -> FixtureReply {
        .raw(Array(text.utf8), then: step)
    }

    /// A reply with exactly these bytes, followed by one more step.
    ///
    /// Nothing is added, so the bytes must contain the status line and all line endings.
    public static func raw(_ bytes: [UInt8], then step: Step = .close) -> FixtureReply {
        FixtureReply(steps: [.send(bytes), step])
    }

    /// A reply that performs exactly these steps.
    ///
    /// A HEAD request also gets all steps: the script decides what is sent.
    public static func script(_ steps: [Step]) -> FixtureReply {
        FixtureReply(steps: steps)
    }

    /// A reply that starts after a delay.
    ///
    /// The wait uses no thread, so thousands of replies can be delayed at the same time.
    public static func delayed(by milliseconds: Int, _ reply: FixtureReply) -> FixtureReply {
        let body = reply.bodySteps
        return FixtureReply(
            steps: [.pause(milliseconds: milliseconds)] + reply.steps,
            bodySteps: body.lowerBound + 1..<body.upperBound + 1)
    }

    /// Returns a reply with a head and one step for the body, framed by the given headers.
    static func streamed(
        status: Int, reason: String? = nil, headers: [(String, String)], body: Step?
    ) -> FixtureReply {
        let head = ReplyHead.bytes(status: status, reason: reason, headers: headers)
        let end: Step = ReplyHead.asksToClose(headers) ? .close : .endRequest
        guard let body else { return FixtureReply(steps: [.send(head), end]) }
        return FixtureReply(steps: [.send(head), body, end], bodySteps: 1..<2)
    }
}
