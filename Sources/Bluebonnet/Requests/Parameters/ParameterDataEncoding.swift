public import Foundation

/// How data in parameters is written by a query, a form or JSON.
public enum ParameterDataEncoding: Sendable {
    /// As base64 with padding (RFC 4648 section 4).
    case base64
    /// As two lower-case hexadecimal digits for each byte.
    case hexadecimal
    /// As the text that a closure returns; what it throws fails the request.
    case custom(@Sendable (Data) throws -> String)

    func value(of data: Data) throws -> ParameterValue {
        switch self {
        case .base64: .data(data)
        case .hexadecimal: .string(Self.hexadecimal(data))
        case .custom(let text): .string(try text(data))
        }
    }

    private static func hexadecimal(_ data: Data) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
