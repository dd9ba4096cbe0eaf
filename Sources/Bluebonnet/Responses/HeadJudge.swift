import Foundation

/// Judges heads as a serializer does, but for their content type unless told otherwise.
///
/// It is for what is taken as it is: a file may be of any type (AFNetworking, S16), and so may data.
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
            // It may have been judged first.
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

/// A serializer that takes bodies as they are, whatever their type.
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

/// Gives a body as it is, where another serializer accepts its head.
struct BodySerializer: JudgedSerializer {
    var judge: HeadJudge

    func serialize(_ data: Data, head: ResponseHead?) throws -> Data {
        try HTTPResponseSerializer().serialize(data, head: head)
    }
}

/// Gives nothing, where another serializer accepts the head.
struct HeadSerializer: JudgedSerializer {
    var judge: HeadJudge

    func serialize(_ data: Data, head: ResponseHead?) throws {}
    func serialize(file: URL, head: ResponseHead?) throws {}
}
