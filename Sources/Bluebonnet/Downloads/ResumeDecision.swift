/// The effect that the response to a range request has on the partial file.
enum ResumeDecision: Sendable, Hashable {
    /// The body is appended to the file, which is complete at exactly `total` bytes.
    case append(offset: Int64, total: Int64)
    /// The body is the whole one: the partial file is removed, and the body written to a new file.
    case restart
    /// The file was already complete, and the body of the response is discarded.
    case finished
    /// Neither the body nor the file can be trusted: request the whole, without a range, for a new
    /// file.
    case mismatch(reason: String)
    /// The response answers something else, such as a temporary failure; the file stays valid.
    case unrelated

    /// Decides from the head alone, after any redirects and challenges.
    static func decide(_ record: ResumeRecord, _ head: ResponseHead) -> ResumeDecision {
        switch head.statusCode {
        case 206: append(record, head)
        case 416: unsatisfied(record, head)
        // A server can ignore the range, and must do so if the validator no longer matches.
        case 200...299: .restart
        default: .unrelated
        }
    }

    private static func append(_ record: ResumeRecord, _ head: ResponseHead) -> ResumeDecision {
        if head.mimeType == "multipart/byteranges" {
            return .mismatch(reason: "the server sent several ranges instead of one")
        }
        guard head.isUncoded else {
            return .mismatch(reason: "the server sent the range with a content coding")
        }
        guard let range = head.onlyContentRange, let bounds = range.bounds else {
            return .mismatch(reason: "the response has no single valid Content-Range field")
        }
        guard bounds.lowerBound == record.offset else {
            return .mismatch(
                reason: "the server sent bytes from offset \(bounds.lowerBound)"
                    + " instead of offset \(record.offset)"
            )
        }
        if record.validator.isContradicted(by: head.headers) { return changed }
        if let known = record.total, let total = range.total, known != total { return changed }
        guard let total = range.total ?? record.total else {
            // The end of the range need not be the end of the body.
            return .mismatch(reason: "the server did not announce the length of the file")
        }
        guard bounds.upperBound == total - 1 else {
            return .mismatch(reason: "the server sent only some of the missing bytes")
        }
        if let length = head.expectedContentLength, length != total - record.offset {
            return .mismatch(reason: "Content-Length and Content-Range contradict each other")
        }
        return .append(offset: record.offset, total: total)
    }

    private static func unsatisfied(
        _ record: ResumeRecord, _ head: ResponseHead
    ) -> ResumeDecision {
        guard let range = head.onlyContentRange, range.bounds == nil, range.total == record.offset
        else {
            return .mismatch(reason: "the server has no bytes from offset \(record.offset)")
        }
        if record.validator.isContradicted(by: head.headers) { return changed }
        guard record.total == nil || record.total == record.offset else { return changed }
        return .finished
    }

    private static let changed = mismatch(reason: "the file has changed on the server")
}
