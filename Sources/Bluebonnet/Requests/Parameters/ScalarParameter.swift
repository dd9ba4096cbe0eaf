import Foundation

/// A type whose values are sent as scalars, whatever its own `encode(to:)` encodes.
protocol ScalarParameter: Encodable {
    var scalar: ParameterValue { get }
}

extension String: ScalarParameter {
    var scalar: ParameterValue { .string(self) }
}

extension Bool: ScalarParameter {
    var scalar: ParameterValue { .bool(self) }
}

extension Date: ScalarParameter {
    var scalar: ParameterValue { .date(self) }
}

extension Data: ScalarParameter {
    var scalar: ParameterValue { .data(self) }
}

extension URL: ScalarParameter {
    var scalar: ParameterValue { .string(absoluteString) }
}

extension Decimal: ScalarParameter {
    var scalar: ParameterValue { .decimal(self) }
}

// MARK: Numbers

extension ScalarParameter where Self: FixedWidthInteger {
    var scalar: ParameterValue { .integer(self) }
}

extension ScalarParameter where Self: BinaryFloatingPoint {
    var scalar: ParameterValue { .floating(self) }
}

extension Int: ScalarParameter {}
extension Int8: ScalarParameter {}
extension Int16: ScalarParameter {}
extension Int32: ScalarParameter {}
extension Int64: ScalarParameter {}
extension Int128: ScalarParameter {}
extension UInt: ScalarParameter {}
extension UInt8: ScalarParameter {}
extension UInt16: ScalarParameter {}
extension UInt32: ScalarParameter {}
extension UInt64: ScalarParameter {}
extension UInt128: ScalarParameter {}
extension Double: ScalarParameter {}
extension Float: ScalarParameter {}
extension Float16: ScalarParameter {}
