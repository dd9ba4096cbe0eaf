import Foundation

/// Judges the response of a download; its file is the value, and never looked into.
struct DownloadSerializer: ResponseSerializer {
    /// Judges heads, but for their content type: a file may be of any (AFNetworking, S16).
    private var judge: any ResponseSerializer

    var acceptableStatusCodes: Set<Int>? {
        get { judge.acceptableStatusCodes }
        set { judge.acceptableStatusCodes = newValue }
    }

    var acceptableContentTypes: Set<String>? {
        get { nil }
        set {}
    }

    init(judgingAs serializer: any ResponseSerializer) {
        judge = serializer
    }

    func validate(_ head: ResponseHead) throws(BluebonnetError) {
        guard let compound = judge as? CompoundResponseSerializer else {
            return try validateAlone(head)
        }
        try Self.judgeStatus(of: head, by: compound)
        var refusal: BluebonnetError?
        for member in compound.serializers {
            do throws(BluebonnetError) {
                return try DownloadSerializer(judgingAs: member).validate(head)
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
        try compound.validate(head)
    }

    private func validateAlone(_ head: ResponseHead) throws(BluebonnetError) {
        do {
            try judge.validate(head)
        } catch .unacceptableContentType {
            // It may have been judged first.
            try Self.judgeStatus(of: head, by: judge)
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

    func serialize(_ data: Data, head: ResponseHead?) throws -> URL {
        throw ResponseSerializationError.fileIsMissing
    }

    func serialize(file: URL, head: ResponseHead?) throws -> URL { file }

    func isCheap(byteCount: Int) -> Bool { true }
}
