public import Foundation

/// The format of data in parameters, for queries, forms and JSON.
public enum ParameterDataEncoding: Sendable {
    /// Base64 with padding (RFC 4648 section 4).
    case base64
    /// Two lowercase hexadecimal digits per byte.
    case hexadecimal
    /// The text that a closure returns; an error that it throws fails the request.
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
