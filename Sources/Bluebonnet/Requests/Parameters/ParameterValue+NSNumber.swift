import Foundation

extension ParameterValue {
    /// Creates the value of an `NSNumber`: a Bool, an integer, a decimal or a floating-point
    /// number.
    init(_ number: NSNumber) {
        if type(of: number) == Self.booleanClass {
            self = .bool(number.boolValue)
        } else if let decimal = number as? NSDecimalNumber {
            self = .decimal(decimal.decimalValue)
        } else {
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "d"): self = .floating(number.doubleValue)
            case UInt8(ascii: "f"): self = .floating(number.floatValue)
            case UInt8(ascii: "Q"): self = .integer(number.uint64Value)
            default: self = .integer(number.int64Value)
            }
        }
    }

    /// The private class of the two Bool objects, the only way to distinguish `true` from `1`.
    private static var booleanClass: AnyClass { type(of: NSNumber(value: true)) }
}
