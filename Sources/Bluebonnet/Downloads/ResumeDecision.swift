/// What a response to a request for the rest of a download means for the file.
enum ResumeDecision: Sendable, Hashable {
    /// The body goes behind what is there; the file is complete at `total` bytes and not before.
    case append(offset: Int64, total: Int64)
    /// The body is a whole one: the file is cut to nothing, and this body written to it.
    case restart
    /// The file was complete already; the response's body is of no use.
    case finished
    /// Neither this body nor the file can be trusted: ask again, without a range, for a new file.
    case mismatch(reason: String)
    /// The response answers something else, such as a failure that will pass; the file stays good.
    case unrelated

    /// Decides by the head alone, after any redirects and challenges.
    static func decide(_ record: ResumeRecord, _ head: ResponseHead) -> ResumeDecision {
        switch head.statusCode {
        case 206: append(record, head)
        case 416: unsatisfied(record, head)
        // A server is free to ignore the range, and must when the validator no longer fits.
        case 200...299: .restart
        default: .unrelated
        }
    }

    private static func append(_ record: ResumeRecord, _ head: ResponseHead) -> ResumeDecision {
        if head.mimeType == "multipart/byteranges" {
            return .mismatch(reason: "the server sent several ranges where one was asked for")
        }
        guard head.isUncoded else {
            return .mismatch(reason: "the server sent the range with a content coding")
        }
        guard let range = head.onlyContentRange, let bounds = range.bounds else {
            return .mismatch(reason: "the server did not say, or not clearly, which range it sent")
        }
        guard bounds.lowerBound == record.offset else {
            return .mismatch(
                reason: "the server sent bytes from \(bounds.lowerBound) on"
                    + " where those from \(record.offset) on were asked for"
            )
        }
        if record.validator.isContradicted(by: head.headers) { return changed }
        if let known = record.total, let total = range.total, known != total { return changed }
        guard let total = range.total ?? record.total else {
            // The end of the range need not be the end of the body.
            return .mismatch(reason: "the server did not say how long the whole is")
        }
        guard bounds.upperBound == total - 1 else {
            return .mismatch(reason: "the server sent less than the whole rest")
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
            return .mismatch(reason: "the server has no bytes from \(record.offset) on")
        }
        if record.validator.isContradicted(by: head.headers) { return changed }
        guard record.total == nil || record.total == record.offset else { return changed }
        return .finished
    }

    private static let changed = mismatch(reason: "what is downloaded has changed on the server")
}
