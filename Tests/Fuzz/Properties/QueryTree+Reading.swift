import Foundation
import Glibc

@testable import Bluebonnet

/// The result that a reader must find in the query of a tree.
extension QueryTree {
    /// Whether the tree has sets or keys with brackets, which make its query ambiguous.
    var hasBracketsOrSets: Bool {
        switch self {
        case .set: true
        case .list(let elements): elements.contains(where: \.hasBracketsOrSets)
        case .members(let members):
            members.contains {
                $0.key.utf8.contains { $0 == 0x5B || $0 == 0x5D } || $0.value.hasBracketsOrSets
            }
        default: false
        }
    }

    /// Returns the names of all pairs in order.
    func names(
        _ name: String?, _ omitsNulls: Bool, _ arrays: (String, Int) -> String
    ) -> [String] {
        switch self {
        case .members(let members):
            members.sorted { $0.key < $1.key }.flatMap { key, value in
                value.names(name.map { "\($0)[\(key)]" } ?? key, omitsNulls, arrays)
            }
        case .list(let elements):
            elements.filter { !$0.isSilent(omitsNulls) }.enumerated().flatMap { index, element in
                element.names(arrays(name ?? "", index), omitsNulls, arrays)
            }
        case .set(let texts): texts.map { _ in name ?? "" }
        case .null where omitsNulls: []
        default: [name ?? ""]
        }
    }

    /// Returns whether the tree adds nothing to a query.
    private func isSilent(_ omitsNulls: Bool) -> Bool {
        switch self {
        case .members(let members): members.values.allSatisfy { $0.isSilent(omitsNulls) }
        case .list(let elements): elements.allSatisfy { $0.isSilent(omitsNulls) }
        case .set(let texts): texts.isEmpty
        case .null: omitsNulls
        default: false
        }
    }

    func agrees(with node: QueryReader.Node, _ encoding: QueryEncoding) -> Bool {
        switch (self, node) {
        case (.members(let members), .branch(let found)):
            let spoken = members.filter { !$0.value.isSilent(encoding.nulls == .omitted) }
            return found.count == spoken.count
                && spoken.allSatisfy { key, value in
                    found[Array(key.utf8)].map { value.agrees(with: $0, encoding) } ?? false
                }
        case (.list(let elements), .branch(let found)):
            // Elements that add nothing to the query have no index.
            let spoken = elements.filter { !$0.isSilent(encoding.nulls == .omitted) }
            return found.count == spoken.count
                && spoken.enumerated().allSatisfy { index, element in
                    found[Array("\(index)".utf8)].map { element.agrees(with: $0, encoding) }
                        ?? false
                }
        case (.null, .leaf(let value)):
            return switch encoding.nulls {
            case .nameOnly: value == nil
            case .emptyValue: value == []
            case .null: value == Array("null".utf8)
            case .omitted: false
            }
        case (_, .leaf(let value?)): return agrees(with: value, encoding)
        default: return false
        }
    }

    private func agrees(with bytes: [UInt8], _ encoding: QueryEncoding) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        switch self {
        case .bool(let value):
            let words = encoding.booleans == .literal ? ["false", "true"] : ["0", "1"]
            return text == words[value ? 1 : 0]
        case .integer(let digits): return text == digits && double == Double(digits)
        case .number(let value): return text == "\(value.int64Value)"
        case .decimal(let value): return Decimal(string: text) == value && double == Double(text)
        case .double(let value):
            return Double(text)?.bitPattern == value.bitPattern && double == value
        case .float(let value): return Float(text)?.bitPattern == value.bitPattern
        case .text(let value): return bytes == Array(value.utf8)
        case .data(let value): return Data(base64Encoded: text) == value
        case .date(let date):
            return Self.seconds(text) == date.timeIntervalSinceReferenceDate.rounded(.down)
        default: return false
        }
    }

    /// The number as it is passed to formats that have number types.
    private var double: Double? { ParameterValue(scalar: parameter)?.double }

    /// Returns the seconds since 2001, as `JSONDecoder` reads them.
    private static func seconds(_ text: String) -> Double? {
        let date = try? Date(text, strategy: .iso8601)
        return text.utf8.count >= 20 ? date?.timeIntervalSinceReferenceDate : nil
    }
}
