import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The information for continuing a download that ended early; resume data is its JSON form.
///
/// It contains no credentials, and no header field except the validator. It contains the URL with
/// its query, so protect the resume data of a signed URL as carefully as the URL itself.
package struct ResumeRecord: Sendable, Hashable {
    let url: URL
    let validator: ResumeValidator
    /// The length of the whole body; nil if the server did not announce it.
    let total: Int64?
    let partial: PartialFile

    /// The number of bytes that are already on disk.
    var offset: Int64 { partial.length }

    /// Creates a record for a response that ended early; returns nil if it cannot be continued.
    ///
    /// The response must answer a GET with status code 200 or 206. It must have a strong validator
    /// and no content coding, and must not refuse ranges. At least one byte must be on disk.
    ///
    /// The request is the caller's own, without the fields that ``apply(to:)`` adds. A range that
    /// the caller requested is not resumed.
    static func make(
        from head: ResponseHead, request: URLRequest, file: PartialFile
    ) -> ResumeRecord? {
        guard request.httpMethod ?? "GET" == "GET", head.requestMethod == "GET", file.length > 0,
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
            url: url, validator: validator, total: total, partial: file
        )
    }

    /// Returns the record with its partial file at another path.
    func with(_ partial: PartialFile) -> Self {
        Self(url: url, validator: validator, total: total, partial: partial)
    }

    /// Requests the missing bytes, provided that the body is unchanged on the server.
    func apply(to request: inout URLRequest) {
        request.setField("Range", to: "bytes=\(offset)-")
        request.setField("If-Range", to: validator.fieldValue)
        // Offsets in a coded body do not match offsets in the file.
        request.setField("Accept-Encoding", to: "identity")
    }

    /// Requests the whole body again, with the caller's own fields.
    func withdraw(from request: inout URLRequest, as original: URLRequest?) {
        for name in ["Range", "If-Range", "Accept-Encoding"] {
            request.setField(name, to: original?.value(forHTTPHeaderField: name))
        }
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
    /// Whether the body was sent without a content coding.
    var isUncoded: Bool {
        exchangeHead.block.values(of: .contentEncoding).allSatisfy {
            $0.isEmpty || $0.lowercased() == "identity"
        }
    }

    /// The byte range of a response with exactly one valid `Content-Range` field.
    var onlyContentRange: ContentRange? {
        let values = headers.values(of: "Content-Range")
        return values.count == 1 ? ContentRange(values[0]) : nil
    }

    /// Whether the body is a part of a file, or not known to be all of it (RFC 9110 section 15.3.7).
    var isPart: Bool {
        guard statusCode == 206 else { return false }
        guard let range = onlyContentRange, let bounds = range.bounds, let total = range.total
        else { return true }
        return bounds != 0...total - 1
    }

    fileprivate var allowsRanges: Bool {
        !headers.values(of: "Accept-Ranges").contains { $0.lowercased() == "none" }
    }
}
