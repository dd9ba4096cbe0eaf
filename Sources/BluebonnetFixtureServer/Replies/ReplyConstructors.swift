extension FixtureReply {
    /// A reply with a status line, header fields and a body.
    ///
    /// `Content-Length` is added unless the headers frame the body themselves with it or with
    /// `Transfer-Encoding`; statuses that allow no body get none. A `Connection: close` field makes
    /// the server close afterwards. Nothing is checked or escaped, so that broken fields can be
    /// sent too.
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
    /// The text is sent as it is, with `Content-Type: application/json`.
    public static func json(_ text: String, status: Int = 200) -> FixtureReply {
        .response(
            status: status, headers: [("Content-Type", "application/json")],
            body: Array(text.utf8))
    }

    /// A reply with a plain text body.
    ///
    /// It is sent as UTF-8 with `Content-Type: text/plain; charset=utf-8`.
    public static func text(_ text: String, status: Int = 200) -> FixtureReply {
        .response(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
            body: Array(text.utf8))
    }

    /// A reply of these exact characters, followed by one more step.
    ///
    /// Nothing is added, so the text must hold the status line and the line ends it needs.
    public static func raw(_ text: String, then step: Step = .close) -> FixtureReply {
        .raw(Array(text.utf8), then: step)
    }

    /// A reply of these exact bytes, followed by one more step.
    ///
    /// Nothing is added, so the bytes must hold the status line and the line ends they need.
    public static func raw(_ bytes: [UInt8], then step: Step = .close) -> FixtureReply {
        FixtureReply(steps: [.send(bytes), step])
    }

    /// A reply that performs exactly these steps.
    ///
    /// A HEAD request gets all of them too: the script decides what to send.
    public static func script(_ steps: [Step]) -> FixtureReply {
        FixtureReply(steps: steps)
    }

    /// A reply that starts after a delay.
    ///
    /// Waiting costs the server no thread, so thousands of delayed replies may wait at once.
    public static func delayed(by milliseconds: Int, _ reply: FixtureReply) -> FixtureReply {
        let body = reply.bodySteps
        return FixtureReply(
            steps: [.pause(milliseconds: milliseconds)] + reply.steps,
            bodySteps: body.lowerBound + 1..<body.upperBound + 1)
    }

    /// A head made from the parts and a body that is one step, framed by the given headers.
    static func streamed(
        status: Int, reason: String? = nil, headers: [(String, String)], body: Step?
    ) -> FixtureReply {
        let head = ReplyHead.bytes(status: status, reason: reason, headers: headers)
        let end: Step = ReplyHead.asksToClose(headers) ? .close : .endRequest
        guard let body else { return FixtureReply(steps: [.send(head), end]) }
        return FixtureReply(steps: [.send(head), body, end], bodySteps: 1..<2)
    }
}
