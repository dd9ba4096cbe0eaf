import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Testing

/// Returns a realistic head, with a body unless its length excludes one.
func head(
    _ statusCode: Int = 200,
    type: String? = nil,
    length: Int? = nil,
    method: String = "GET"
) throws -> ResponseHead {
    var headers: HTTPHeaders = [:]
    headers["Content-Type"] = type
    headers["Content-Length"] = length.map { String($0) }
    let url = try #require(URL(string: "https://example.com/"))
    return ResponseHead(statusCode: statusCode, headers: headers, url: url, requestMethod: method)
}

/// Returns why a serializer cannot read a body, or nil if it can.
func refusal(
    _ serializer: some ResponseSerializer,
    _ data: Data,
    head: ResponseHead? = nil
) -> String? {
    do {
        _ = try serializer.serialize(data, head: head)
        return nil
    } catch {
        return "\(error)"
    }
}

func refusal(_ serializer: some ResponseSerializer, _ text: String) -> String? {
    refusal(serializer, Data(text.utf8))
}

/// Returns the validation error, or nil if the head is accepted.
func verdict(_ serializer: some ResponseSerializer, _ head: ResponseHead) -> BluebonnetError? {
    do {
        try serializer.validate(head)
        return nil
    } catch {
        return error
    }
}

/// Returns alternating marks above and below a letter.
///
/// A million of them take minutes to compare.
func marks(_ count: Int) -> String {
    let pairs = String(repeating: "\u{301}\u{323}", count: count / 2)
    return count.isMultiple(of: 2) ? pairs : pairs + "\u{301}"
}

/// Returns heads that exclude a body.
func bodilessHeads() throws -> [ResponseHead] {
    try [head(204), head(205), head(304), head(200, method: "HEAD")]
}

/// Returns samples with bytes changed, removed or repeated, and random bytes.
func damagedBodies(of samples: [Data], count: Int, seed: UInt64) -> [Data] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { number in
        guard number % 4 != 0, var body = samples.randomElement(using: &random) else {
            let length = Int.random(in: 0..<64, using: &random)
            return Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) where !body.isEmpty {
            let place = Int.random(in: 0..<body.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: body.remove(at: place)
            case 1: body.append(body[place...])
            default: body[place] = UInt8.random(in: 0...255, using: &random)
            }
            body = Data(body.prefix(4096))
        }
        return body
    }
}
