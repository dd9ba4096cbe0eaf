public import Foundation

/// Gives the value of the first member that accepts head and body.
///
/// Members judge statuses and content types. The two properties of the compound itself accept
/// everything by default; what is set there must be met as well. An empty body gives nil.
public struct CompoundResponseSerializer: ResponseSerializer {
    /// Status codes of a success; nil accepts every status.
    public var acceptableStatusCodes: Set<Int>?
    /// Media types that the body may have; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// The members, in the order in which they are asked.
    public var serializers: [any ResponseSerializer]

    /// Makes a serializer of members, which alone decide what is acceptable.
    public init(
        _ serializers: [any ResponseSerializer],
        acceptableStatusCodes: Set<Int>? = nil,
        acceptableContentTypes: Set<String>? = nil
    ) {
        self.serializers = serializers
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
    }

    /// Accepts what at least one member accepts.
    ///
    /// When none does, a status refused by a member that accepts the content type comes before
    /// other errors; content types refused by all are one error that names what each accepts.
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

    /// The value of the first member that accepts the head and can read the body.
    ///
    /// Where no member accepts the head, those that refuse only its status are asked, so that
    /// the body of an error is parsed too.
    ///
    /// - Throws: the error of the last member that accepted the head and could not read the body;
    ///   without such a member, the one of ``validate(_:)``.
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
        throw ResponseSerializationError(reason: "no member of the compound serializer accepts it")
    }

    /// Whether it is for every member.
    public func isCheap(byteCount: Int) -> Bool {
        serializers.allSatisfy { $0.isCheap(byteCount: byteCount) }
    }

    /// The largest size that a member can read; nil where one reads any, or there is none.
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

    /// What a refusal of the type would have accepted, also below one of the status.
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
        // Without these, a nil would become a value: an optional inside the existential.
        if let serializer = serializer as? any ResponseSerializer<(any Sendable)?> {
            return try serializer.serialize(data, head: head)
        }
        let value = try serializer.serialize(data, head: head)
        if let optional = value as? any NilTestable, optional.isNil { return nil }
        return value
    }
}

extension [Int?] {
    /// The largest element; nil where one is nil, or there is none.
    var commonMaximum: Int? {
        let limits = compactMap(\.self)
        return limits.count == count ? limits.max() : nil
    }
}

extension ResponseSerializer where Self == CompoundResponseSerializer {
    /// Gives the value of the first member that accepts head and body.
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
