/// Replies whose body is generated while it is sent.
enum StreamedReplies {
    private static let binaryType = ("Content-Type", "application/octet-stream")

    static func bytes(_ count: Int) -> FixtureReply {
        .streamed(
            status: 200, headers: [binaryType, ("Content-Length", String(count))],
            body: .generate { index in
                DeterministicBytes.block(index, ofTotal: count).map { [.send($0)] }
            })
    }

    static func chunked(_ count: Int) -> FixtureReply {
        .streamed(
            status: 200, headers: [binaryType, ("Transfer-Encoding", "chunked")],
            body: .generate { index in
                if let block = DeterministicBytes.block(index, ofTotal: count) {
                    let size = String(block.count, radix: 16)
                    return [.send(Array("\(size)\r\n".utf8)), .send(block), .send([13, 10])]
                }
                let isFirstAfterBody =
                    index == 0 || DeterministicBytes.block(index - 1, ofTotal: count) != nil
                return isFirstAfterBody ? [.send(Array("0\r\n\r\n".utf8))] : nil
            })
    }

    static func drip(_ count: Int, every milliseconds: Int) -> FixtureReply {
        .streamed(
            status: 200, headers: [binaryType, ("Content-Length", String(count))],
            body: .generate { index in
                guard index < count else { return nil }
                let byte = FixtureReply.Step.send([DeterministicBytes.byte(at: index)])
                return index == 0 ? [byte] : [.pause(milliseconds: milliseconds), byte]
            })
    }

    /// Without a length, the body ends with the connection, which the client must close.
    static func endless() -> FixtureReply {
        .streamed(
            status: 200, headers: [binaryType, ("Connection", "close")],
            body: .repeatForever(DeterministicBytes.prefix(DeterministicBytes.blockSize)))
    }
}
