public import Foundation

/// A serializer that tries its members in order and returns the first value.
///
/// The members judge status codes and content types. The compound's own two properties accept
/// everything by default. If set, they apply in addition to those of the members. An empty body
/// becomes nil.
public struct CompoundResponseSerializer: ResponseSerializer {
    /// The acceptable status codes; nil accepts every status code.
    public var acceptableStatusCodes: Set<Int>?
    /// The acceptable media types; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// The members, in the order in which they are tried.
    public var serializers: [any ResponseSerializer]

    /// Creates a serializer from members, which by default alone decide what is acceptable.
    public init(
        _ serializers: [any ResponseSerializer],
        acceptableStatusCodes: Set<Int>? = nil,
        acceptableContentTypes: Set<String>? = nil
    ) {
        self.serializers = serializers
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
    }

    /// Accepts a head that at least one member accepts.
    ///
    /// If every member refuses the head, the error is that of a member that refuses only the status
    /// code, if there is one. If every member refuses the content type, one error lists the types
    /// that the members accept.
    public func validate(_ head: ResponseHead) throws(BluebonnetError) {
        let own = HTTPResponseSerializer(
            acceptableStatusCodes: acceptableStatusCodes,
            acceptableContentTypes: acceptableContentTypes
        )
        try own.validate(head)
        let refusals = serializers.map { Self.refusal(of: $0, head) }
        if refusals.contains(where: { $0 == nil }) { return }
        throw Self.mostRelevant(refusals.compactMap { $0 }, head)
    }

    /// Returns the value of the first member that accepts the head and can read the body.
    ///
    /// If no member accepts the head, the members that refuse only its status code are tried, so
    /// that the body of an error response is parsed too.
    ///
    /// - Parameters:
    ///   - data: The complete body, without content codings.
    ///   - head: The status and header fields; nil if no response was received.
    /// - Returns: The value; nil if the member returns nil.
    /// - Throws: The error of the last member that was tried and could not read the body. If no
    ///   member was tried, the error of ``validate(_:)``.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> (any Sendable)? {
        if isEmptyBody(data, head: head) { return nil }
        var unreadable: (any Error)?
        for serializer in candidates(head) {
            do {
                return try Self.value(of: serializer, data, head)
            } catch {
                unreadable = error
            }
        }
        if let unreadable { throw unreadable }
        if let head { try validate(head) }
        throw ResponseSerializationError(
            reason: "no member of the compound serializer accepts the response")
    }

    /// Whether serializing a body of this size is cheap for every member.
    public func isCheap(byteCount: Int) -> Bool {
        serializers.allSatisfy { $0.isCheap(byteCount: byteCount) }
    }

    /// The largest body that a member can read; nil if a member has no limit or there are no
    /// members.
    public var maximumBodySize: Int? { serializers.map(\.maximumBodySize).commonMaximum }

    private func candidates(_ head: ResponseHead?) -> [any ResponseSerializer] {
        guard let head else { return serializers }
        let judged = serializers.map { ($0, refusal: Self.refusal(of: $0, head)) }
        let accepting = judged.filter { $0.refusal == nil }
        if !accepting.isEmpty { return accepting.map(\.0) }
        return judged.filter { $0.refusal.map(Self.isStatusOnly) ?? false }.map(\.0)
    }

    private static func refusal(
        of serializer: any ResponseSerializer,
        _ head: ResponseHead
    ) -> BluebonnetError? {
        do {
            try serializer.validate(head)
            return nil
        } catch {
            return error
        }
    }

    private static func isStatusOnly(_ error: BluebonnetError) -> Bool {
        guard case .unacceptableStatus(_, let context) = error else { return false }
        return context.underlying == nil
    }

    private static func mostRelevant(
        _ refusals: [BluebonnetError],
        _ head: ResponseHead
    ) -> BluebonnetError {
        if let status = refusals.last(where: isStatusOnly) { return status }
        let context = BluebonnetError.Context(head: head)
        guard let last = refusals.last else {
            return .unreadableBody("the compound serializer has no members", context)
        }
        var types: Set<String> = []
        for refusal in refusals {
            guard let acceptable = acceptableTypes(refusal) else { return last }
            types.formUnion(acceptable)
        }
        let type = BluebonnetError.unacceptableContentType(
            head.mimeType, acceptable: types, context
        )
        guard case .unacceptableStatus(let status, var context) = last else { return type }
        context.underlying = type
        return .unacceptableStatus(status, context)
    }

    /// Returns the types that a member accepts, from its error; nil if that is not about the type.
    private static func acceptableTypes(_ refusal: BluebonnetError) -> Set<String>? {
        switch refusal {
        case .unacceptableContentType(_, let acceptable, _): acceptable
        case .unacceptableStatus(_, let context):
            (context.underlying as? BluebonnetError).flatMap(acceptableTypes)
        default: nil
        }
    }

    private static func value(
        of serializer: some ResponseSerializer,
        _ data: Data,
        _ head: ResponseHead?
    ) throws -> (any Sendable)? {
        // Without this case, a nil value would be returned as an optional inside the existential.
        if let serializer = serializer as? any ResponseSerializer<(any Sendable)?> {
            return try serializer.serialize(data, head: head)
        }
        let value = try serializer.serialize(data, head: head)
        if let optional = value as? any NilTestable, optional.isNil { return nil }
        return value
    }
}

extension [Int?] {
    /// The largest element; nil if an element is nil or the array is empty.
    var commonMaximum: Int? {
        let limits = compactMap(\.self)
        return limits.count == count ? limits.max() : nil
    }
}

extension ResponseSerializer where Self == CompoundResponseSerializer {
    /// Returns a serializer that tries its members in order and returns the first value.
    public static func compound(_ serializers: [any ResponseSerializer]) -> Self {
        Self(serializers)
    }
}

extension CompoundResponseSerializer: ManagerBoundSerializer {
    func bound(by defaults: SerializerDefaults) -> Self {
        var bound = self
        bound.serializers = serializers.map(defaults.bound(any:))
        return bound
    }
}
