import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What it takes to go on with a download that ended early; resume data is this as JSON.
///
/// It holds no header fields but the validator, and no credentials. The URL is in it with its
/// query, so resume data of a signed URL is to be kept as safe as that URL.
struct ResumeRecord: Sendable, Hashable {
    let url: URL
    let method: String
    let validator: ResumeValidator
    /// The length of the whole body; nil where the server did not say.
    let total: Int64?
    let partial: PartialFile

    /// How many bytes are there already.
    var offset: Int64 { partial.length }

    /// Makes a record of a response that ended early; nil when it cannot be gone on with.
    ///
    /// That takes an answer to GET with the status 200 or 206, a strong validator, a body without
    /// content coding, a server that does not refuse ranges, and at least one byte on the disk.
    /// The request is the caller's own, without what ``apply(to:)`` adds: a range that the caller
    /// asked for is not resumed.
    static func make(
        from head: ResponseHead, request: URLRequest, file: PartialFile
    ) -> ResumeRecord? {
        let method = request.httpMethod ?? "GET"
        guard method == "GET", head.requestMethod == "GET", file.length > 0,
            request.value(forHTTPHeaderField: "Range") == nil,
            let url = request.url.flatMap(withoutCredentials),
            head.isUncoded, head.allowsRanges, let validator = ResumeValidator(head.headers)
        else { return nil }
        let total: Int64?
        switch head.statusCode {
        case 200: total = head.expectedContentLength
        case 206:
            guard let range = head.onlyContentRange, range.bounds != nil else { return nil }
            total = range.total
        default: return nil
        }
        if let total, total < file.length { return nil }
        return ResumeRecord(
            url: url, method: method, validator: validator, total: total, partial: file
        )
    }

    /// Asks for the rest of the body, should it still be the same.
    func apply(to request: inout URLRequest) {
        request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range")
        request.setValue(validator.fieldValue, forHTTPHeaderField: "If-Range")
        // Places in a coded body would not be places in the file.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }

    private static func withoutCredentials(_ url: URL) -> URL? {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return nil }
        parts.user = nil
        parts.password = nil
        return parts.url
    }
}

extension ResponseHead {
    /// Whether the body came without a content coding.
    var isUncoded: Bool {
        exchangeHead.block.values(of: .contentEncoding).allSatisfy {
            $0.isEmpty || $0.lowercased() == "identity"
        }
    }

    /// The range of bytes of a response that holds exactly one.
    var onlyContentRange: ContentRange? {
        let values = headers.values(of: "Content-Range")
        return values.count == 1 ? ContentRange(values[0]) : nil
    }

    fileprivate var allowsRanges: Bool {
        !headers.values(of: "Accept-Ranges").contains { $0.lowercased() == "none" }
    }
}
