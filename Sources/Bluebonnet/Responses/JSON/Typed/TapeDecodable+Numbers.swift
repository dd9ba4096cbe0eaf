import Foundation

extension JSONTapeDocument {
    @inline(__always)
    func integer<T: FixedWidthInteger & Decodable>(_ type: T.Type, at index: Int) throws -> T {
        let number: T?
        switch tape.kind(at: index) {
        case .signedInteger: number = T(exactly: Int64(bitPattern: tape.number(at: index)))
        case .unsignedInteger: number = T(exactly: tape.number(at: index))
        case .double: return try integerOfDouble(type, at: index)
        default: throw mismatch(type, at: index)
        }
        guard let number else { return try self.number(type, at: index) }
        return number
    }

    /// Decodes an integer that is written with a fraction or an exponent.
    @inline(never)
    private func integerOfDouble<T: FixedWidthInteger & Decodable>(
        _ type: T.Type, at index: Int
    ) throws -> T {
        let double = Double(bitPattern: tape.number(at: index))
        // From 2^53 on, a `Double` no longer identifies a single integer.
        if double.magnitude < 0x1p53, let number = T(exactly: double) { return number }
        return try number(type, at: index)
    }

    @inline(__always)
    func double(at index: Int) throws -> Double {
        let value: Double
        switch tape.kind(at: index) {
        case .double: value = Double(bitPattern: tape.number(at: index))
        case .signedInteger: value = Double(Int64(bitPattern: tape.number(at: index)))
        case .unsignedInteger: return Double(tape.number(at: index))
        default: return try otherFloat(Double.self, at: index)
        }
        // `JSONDecoder` handles subnormal numbers. The tape has no sign for an integer -0.
        return value.magnitude >= .leastNormalMagnitude
            ? value : try smallNumber(Double.self, value, at: index)
    }

    @inline(__always)
    func float(at index: Int) throws -> Float {
        let value: Float
        switch tape.kind(at: index) {
        case .double:
            let double = Double(bitPattern: tape.number(at: index))
            value = Float(double)
            // Halfway between two floats, digits beyond those of the `Double` decide how to round.
            if !value.isFinite || double.bitPattern & 0x1FFF_FFFF == 0x1000_0000 {
                return try number(Float.self, at: index)
            }
        case .signedInteger: value = Float(Int64(bitPattern: tape.number(at: index)))
        case .unsignedInteger: return Float(tape.number(at: index))
        default: return try otherFloat(Float.self, at: index)
        }
        return value.magnitude > .leastNormalMagnitude
            ? value : try smallNumber(Float.self, value, at: index)
    }

    /// Decodes a number that is zero, or so small that it has lost digits.
    @inline(never)
    private func smallNumber<T: BinaryFloatingPoint & Decodable>(
        _ type: T.Type, _ value: T, at index: Int
    ) throws -> T {
        guard value == 0 else { return try number(type, at: index) }
        if tape.kind(at: index) == .signedInteger {
            return isNegativeZero(at: index) ? -0.0 : 0
        }
        let digits = numberText(at: index)?.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let isZero = digits?.allSatisfy { "-0.".utf8.contains($0) } == true
        return isZero ? value : try number(type, at: index)
    }

    /// Decodes infinity or NaN from the strings that the options define for them.
    @inline(never)
    private func otherFloat<T: BinaryFloatingPoint & Decodable>(
        _ type: T.Type, at index: Int
    ) throws -> T {
        guard tape.kind(at: index) == .string,
            case .convertFromString(let positiveInfinity, let negativeInfinity, let nan) =
                options.floats
        else { throw mismatch(type, at: index) }
        switch tape.string(at: index) {
        case positiveInfinity: return .infinity
        case negativeInfinity: return -.infinity
        case nan: return .nan
        default: throw mismatch(type, at: index)
        }
    }
}

extension Double: TapeDecodable {
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self { try document.double(at: index) }
}

extension Float: TapeDecodable {
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self { try document.float(at: index) }
}

extension TapeDecodable where Self: FixedWidthInteger & Decodable {
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self { try document.integer(Self.self, at: index) }
}

extension Int: TapeDecodable {}
extension Int8: TapeDecodable {}
extension Int16: TapeDecodable {}
extension Int32: TapeDecodable {}
extension Int64: TapeDecodable {}
extension Int128: TapeDecodable {}
extension UInt: TapeDecodable {}
extension UInt8: TapeDecodable {}
extension UInt16: TapeDecodable {}
extension UInt32: TapeDecodable {}
extension UInt64: TapeDecodable {}
extension UInt128: TapeDecodable {}
