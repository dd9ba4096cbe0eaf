/// Removes the chunked transfer coding from a request body.
struct ChunkedBodyDecoder {
    private enum Phase {
        case sizeLine
        case data(remaining: Int)
        case dataEnd
        case trailers
    }

    private static let lineLimit = 8192
    private static let lineEnd = Array("\r\n".utf8)

    private var phase = Phase.sizeLine

    /// Appends decoded bytes to `body` and returns true when the body is complete.
    mutating func decode(
        _ input: inout InputBuffer, into body: inout [UInt8]
    ) throws(RequestRejection) -> Bool {
        while true {
            switch phase {
            case .sizeLine:
                guard let line = try takeLine(&input) else { return false }
                let size = try Self.parseSize(line)
                phase = size == 0 ? .trailers : .data(remaining: size)
            case .data(let remaining):
                let taken = input.take(upTo: remaining)
                body.append(contentsOf: taken)
                guard taken.count == remaining else {
                    phase = .data(remaining: remaining - taken.count)
                    return false
                }
                phase = .dataEnd
            case .dataEnd:
                guard input.count >= 2 else { return false }
                guard Array(input.take(upTo: 2)) == Self.lineEnd else {
                    throw RequestRejection(status: 400, reason: "end of chunk")
                }
                phase = .sizeLine
            case .trailers:
                guard let line = try takeLine(&input) else { return false }
                if line.isEmpty { return true }
            }
        }
    }

    private func takeLine(_ input: inout InputBuffer) throws(RequestRejection) -> [UInt8]? {
        if let line = input.take(before: Self.lineEnd) { return line }
        guard input.count <= Self.lineLimit else {
            throw RequestRejection(status: 400, reason: "length of a chunk line")
        }
        return nil
    }

    private static func parseSize(_ line: [UInt8]) throws(RequestRejection) -> Int {
        let text = String(decoding: line.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        guard text.utf8.first.map({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) == true,
            let size = Int(text, radix: 16)
        else { throw RequestRejection(status: 400, reason: "chunk size") }
        return size
    }
}
