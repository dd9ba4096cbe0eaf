/// A place in a trace, which W3C Trace Context carries in the fields `traceparent` and `tracestate`.
///
/// ```swift
/// // In a handler of a server, with the fields of the request that it answers:
/// let context = TraceContext(
///     traceparent: fields["traceparent"], tracestate: fields["tracestate"])
/// try await TraceContext.$current.withValue(context) {
///     try await api.get("users/7")
/// }
/// ```
public struct TraceContext: Sendable, Hashable {
    /// The ID of the trace: 32 hexadecimal digits.
    public let traceID: String
    /// The ID of the span: 16 hexadecimal digits.
    public let spanID: String
    /// Whether the caller records the trace.
    public let isSampled: Bool
    /// The value of `tracestate`; empty without one.
    public let state: String
    /// Whether the trace ID is known to be random (Trace Context level 2).
    private let isRandom: Bool

    /// The context of the current Swift task; nil, the default, outside of any trace.
    @TaskLocal public static var current: TraceContext?

    /// Begins a trace.
    ///
    /// - Parameter isSampled: Whether it is recorded; default true.
    public init(isSampled: Bool = true) {
        (traceID, spanID) = (Self.randomID(32), Self.randomID(16))
        (self.isSampled, state, isRandom) = (isSampled, "", false)
    }

    /// Reads the fields of a request from outside.
    ///
    /// Returns nil if `traceparent` is not valid, so that a new trace can begin (W3C Trace Context
    /// section 4.3). An invalid `tracestate` is left out.
    ///
    /// - Parameters:
    ///   - traceparent: The value of the field; nil without one.
    ///   - tracestate: The value of the field, or the values of all of them with commas between;
    ///     nil without one.
    public init?(traceparent: String?, tracestate: String?) {
        guard let fields = traceparent.flatMap(TraceparentFields.init) else { return nil }
        (traceID, spanID) = (fields.traceID, fields.spanID)
        (isSampled, isRandom) = (fields.flags & 1 != 0, fields.flags & 2 != 0)
        state = tracestate.flatMap(TracestateMembers.init)?.text ?? ""
    }

    private init(spanID: String, of parent: TraceContext) {
        self.spanID = spanID
        (traceID, state) = (parent.traceID, parent.state)
        (isSampled, isRandom) = (parent.isSampled, parent.isRandom)
    }

    /// The value of the field `traceparent`.
    public var traceparent: String {
        "00-\(traceID)-\(spanID)-0\((isSampled ? 1 : 0) + (isRandom ? 2 : 0))"
    }

    /// Returns the context of a new span in the same trace.
    public func makeChild() -> TraceContext { TraceContext(spanID: Self.randomID(16), of: self) }

    /// Returns a random ID with that many hexadecimal digits, which is not zero.
    private static func randomID(_ count: Int) -> String {
        var id = ""
        while id.utf8.count < count {
            let digits = String(UInt64.random(in: 1...(.max)), radix: 16)
            id += String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }
        return id
    }
}

/// The parts of a valid `traceparent` (W3C Trace Context section 3.2).
private struct TraceparentFields {
    let traceID: String
    let spanID: String
    let flags: UInt8

    init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(56))
        // A later version can have more, after another hyphen.
        guard bytes.count >= 55, bytes.count == 55 || bytes[55] == UInt8(ascii: "-"),
            [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") })
        else { return nil }
        func digits(_ range: Range<Int>) -> String? {
            guard bytes[range].allSatisfy(\.isLowercaseHexadecimal) else { return nil }
            return String(decoding: bytes[range], as: UTF8.self)
        }
        guard let version = digits(0..<2), version != "ff",
            version != "00" || bytes.count == 55,
            let traceID = digits(3..<35), let spanID = digits(36..<52),
            let flags = digits(53..<55).flatMap({ UInt8($0, radix: 16) }),
            traceID.contains(where: { $0 != "0" }), spanID.contains(where: { $0 != "0" })
        else { return nil }
        (self.traceID, self.spanID, self.flags) = (traceID, spanID, flags)
    }
}

/// The members of a valid `tracestate` (W3C Trace Context section 3.3).
private struct TracestateMembers {
    /// The members, of which so many are left out that 512 bytes suffice.
    let text: String

    private static let maximumCount = 32
    private static let maximumSize = 512
    private static let largeMemberSize = 128
    /// The size above which it is not even read.
    private static let maximumReadSize = 16_384

    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumReadSize else { return nil }
        var members: [Substring] = []
        var keys: Set<Substring> = []
        for part in text.split(separator: ",") {
            let member = part.trimmed
            guard !member.isEmpty else { continue }
            guard let equals = member.firstIndex(of: "="),
                case let key = member[..<equals], Self.isKey(key),
                Self.isValue(member[member.index(after: equals)...]), keys.insert(key).inserted
            else { return nil }
            members.append(member)
        }
        guard members.count <= Self.maximumCount else { return nil }
        var size = members.reduce(members.count - 1) { $0 + $1.utf8.count }
        // First the large ones, and then the last ones (section 3.3.1.5).
        while size > Self.maximumSize,
            let large = members.lastIndex(where: { $0.utf8.count > Self.largeMemberSize })
                ?? members.indices.last
        {
            size -= members.remove(at: large).utf8.count + 1
        }
        self.text = members.joined(separator: ",")
    }

    private static func isKey(_ key: Substring) -> Bool {
        guard let first = key.utf8.first, key.utf8.count <= 256,
            first.isLowercaseLetterOrDigit
        else { return false }
        return key.utf8.allSatisfy { $0.isLowercaseLetterOrDigit || "_-*/@".utf8.contains($0) }
    }

    private static func isValue(_ value: Substring) -> Bool {
        !value.isEmpty && value.utf8.count <= 256
            && value.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }
}

extension Substring {
    /// The text without spaces and tabs at its ends.
    fileprivate var trimmed: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

extension UInt8 {
    fileprivate var isLowercaseHexadecimal: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }

    fileprivate var isLowercaseLetterOrDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
    }
}
