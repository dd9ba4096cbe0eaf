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
    case mismatch
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
        // One range of the file as it is, from where the partial file ends.
        guard head.mimeType != "multipart/byteranges", head.isUncoded,
            let range = head.onlyContentRange, let bounds = range.bounds,
            bounds.lowerBound == record.offset,
            !record.validator.isContradicted(by: head.headers)
        else { return .mismatch }
        if let known = record.total, let total = range.total, known != total { return .mismatch }
        // Without a total, the end of the range need not be the end of the body.
        guard let total = range.total ?? record.total, bounds.upperBound == total - 1 else {
            return .mismatch
        }
        if let length = head.expectedContentLength, length != total - record.offset {
            return .mismatch
        }
        return .append(offset: record.offset, total: total)
    }

    private static func unsatisfied(
        _ record: ResumeRecord, _ head: ResponseHead
    ) -> ResumeDecision {
        guard let range = head.onlyContentRange, range.bounds == nil, range.total == record.offset,
            !record.validator.isContradicted(by: head.headers),
            record.total == nil || record.total == record.offset
        else { return .mismatch }
        return .finished
    }
}
