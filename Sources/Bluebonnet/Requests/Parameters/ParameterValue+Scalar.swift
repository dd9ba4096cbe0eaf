import Foundation

extension ParameterValue {
    /// Creates the value of a scalar of any accepted type, or returns nil for any other type.
    init?(scalar input: Any) {
        // Only a class check detects number objects: a cast to NSNumber succeeds for Swift's own
        // numbers, and a cast of NSNumber(1.0) to Int or Bool succeeds as well.
        if type(of: input) is NSNumber.Type, let number = input as? NSNumber {
            self.init(number)
            return
        }
        switch input {
        case let value as String: self = .string(value)
        case let value as Bool: self = .bool(value)
        case let value as any BinaryInteger: self = .integer(value)
        case let value as any BinaryFloatingPoint: self = .floating(value)
        case let value as Substring: self = .string(String(value))
        case let value as Decimal: self = .decimal(value)
        case let value as Date: self = .date(value)
        case let value as URL: self = .string(value.absoluteString)
        case let value as Data: self = .data(value)
        case let value as UUID: self = .string(value.uuidString)
        default: return nil
        }
    }

    /// The reason why a scalar cannot be sent in any format; nil if it can.
    package var objection: String? {
        switch self {
        case .floating(let number, let digits) where !number.isFinite && !digits.isNumber:
            "\(digits) cannot be sent; use a finite number"
        case .decimal(let number) where number.isNaN:
            "nan cannot be sent; use a finite number"
        case .date(let date) where !date.timeIntervalSince1970.isFinite:
            "the date is infinite or not a number; use a finite date"
        default: nil
        }
    }
}

extension String {
    /// Whether the text of a floating-point number represents a finite number.
    fileprivate var isNumber: Bool { utf8.last.map { (0x30...0x39).contains($0) } == true }
}
