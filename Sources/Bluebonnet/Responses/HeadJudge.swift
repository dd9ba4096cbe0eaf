import Foundation

/// Judges heads like a serializer, but ignores the content type by default.
///
/// Files and raw data can have any content type, so only the status code matters for them.
struct HeadJudge: Sendable {
    var serializer: any ResponseSerializer
    var judgesContentType = false

    func validate(_ head: ResponseHead) throws(BluebonnetError) {
        if judgesContentType { return try serializer.validate(head) }
        guard let compound = serializer as? CompoundResponseSerializer else {
            return try validateAlone(head)
        }
        try Self.judgeStatus(of: head, by: compound)
        var refusal: BluebonnetError?
        for member in compound.serializers {
            do throws(BluebonnetError) {
                return try HeadJudge(serializer: member).validate(head)
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
        try compound.validate(head)
    }

    private func validateAlone(_ head: ResponseHead) throws(BluebonnetError) {
        do {
            try serializer.validate(head)
        } catch .unacceptableContentType {
            // The content type can be judged before the status code.
            try Self.judgeStatus(of: head, by: serializer)
        } catch .unacceptableStatus(let status, var context) {
            if case .unacceptableContentType? = context.underlying as? BluebonnetError {
                context.underlying = nil
            }
            throw .unacceptableStatus(status, context)
        }
    }

    private static func judgeStatus(
        of head: ResponseHead, by serializer: some ResponseSerializer
    ) throws(BluebonnetError) {
        try HTTPResponseSerializer(
            acceptableStatusCodes: serializer.acceptableStatusCodes, acceptableContentTypes: nil
        ).validate(head)
    }
}

/// A serializer that does not parse the body, and accepts a head if its judge does.
protocol JudgedSerializer: ResponseSerializer {
    var judge: HeadJudge { get set }
}

extension JudgedSerializer {
    var acceptableStatusCodes: Set<Int>? {
        get { judge.serializer.acceptableStatusCodes }
        set { judge.serializer.acceptableStatusCodes = newValue }
    }

    var acceptableContentTypes: Set<String>? {
        get { judge.judgesContentType ? judge.serializer.acceptableContentTypes : nil }
        set { if judge.judgesContentType { judge.serializer.acceptableContentTypes = newValue } }
    }

    func validate(_ head: ResponseHead) throws(BluebonnetError) { try judge.validate(head) }

    func isCheap(byteCount: Int) -> Bool { true }
}

/// Returns the body unchanged, if another serializer accepts the head.
struct BodySerializer: JudgedSerializer {
    var judge: HeadJudge

    func serialize(_ data: Data, head: ResponseHead?) throws -> Data {
        try HTTPResponseSerializer().serialize(data, head: head)
    }
}

/// Returns nothing, if another serializer accepts the head.
struct HeadSerializer: JudgedSerializer {
    var judge: HeadJudge

    func serialize(_ data: Data, head: ResponseHead?) throws {}
    func serialize(file: URL, head: ResponseHead?) throws {}
}
