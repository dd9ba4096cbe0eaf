import BluebonnetTransport
public import Foundation
import FoundationNetworking

extension BluebonnetError: CustomStringConvertible, CustomReflectable, LocalizedError {
    /// What happened, to which request, and what to do about it, in one line.
    public var description: String {
        "\(reason) [\(requestDescription)]"
    }

    /// The same as `description`.
    public var errorDescription: String? { description }

    /// The description alone: what the context holds may be secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    private var reason: String {
        switch self {
        case .invalidRequest(let text, _):
            "the request could not be built, and nothing was sent: \(text)"
        case .securityPolicy(let text, _):
            "nothing was sent: \(text)"
        case .sessionInvalidated:
            "the manager was invalidated or released before the task started; make a new manager"
        case .transport(let failure, _):
            failure.description
        case .requestBody(let text, _):
            "the request's body could not be read, and was not sent whole: \(text)"
        case .authentication(let text, _):
            text
        case .file(let failure, _):
            failure.description
        case .redirect(let text, _):
            "the redirect was not followed: \(text)"
        case .unacceptableStatus(let code, let context):
            """
            the status \(code) (\(Self.phrase(code))) is not acceptable\
            \(Self.accepted(context))\(Self.excerpt(context))
            """
        case .unacceptableContentType(let type, let acceptable, let context):
            """
            the content type \(Self.quoted(type)) is not acceptable; \
            accepted are \(Self.list(acceptable))\(Self.excerpt(context))
            """
        case .unreadableBody(let text, let context):
            "the body could not be read: \(text)\(Self.excerpt(context))"
        case .cancelled:
            "the task was cancelled"
        }
    }

    private static func phrase(_ code: Int) -> String {
        HTTPURLResponse.localizedString(forStatusCode: code)
    }

    /// The statuses that would have been accepted, as ranges.
    private static func accepted(_ context: Context) -> String {
        guard let codes = context.acceptableStatusCodes else { return "" }
        var ranges: [ClosedRange<Int>] = []
        for code in codes.sorted() {
            if let last = ranges.last, last.upperBound == code - 1 {
                ranges[ranges.count - 1] = last.lowerBound...code
            } else {
                ranges.append(code...code)
            }
        }
        let texts = ranges.prefix(8).map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
        }
        let list = texts.joined(separator: ", ") + (ranges.count > 8 ? " and others" : "")
        return "; accepted are \(ranges.isEmpty ? "none" : list)"
    }

    /// Of the response only type and body are shown: headers can hold secrets.
    private static func excerpt(_ context: Context) -> String {
        guard let data = context.data,
            let text = BodyExcerpt.text(data, charset: context.head?.charset)
        else { return "" }
        // A server may tell what it was sent.
        let shown = context.request.map { text.hidingSecrets(of: $0) } ?? text
        let size = data.count == 1 ? "1 byte" : "\(data.count) bytes"
        return "; the body of \(size) begins with: \(shown)"
    }

    private static func quoted(_ type: String?) -> String {
        type.map { "\"\(BodyExcerpt.printable($0, limit: 100))\"" } ?? "is missing and"
    }

    private static func list(_ types: Set<String>) -> String {
        types.isEmpty ? "none" : types.sorted().joined(separator: ", ")
    }

    private var requestDescription: String {
        guard let request = context.request else { return "no request" }
        return request.summary
    }
}

extension BluebonnetError.Context: CustomStringConvertible, CustomReflectable {
    /// Request and status in one line, without what may be secret.
    public var description: String {
        let status = head.map { ", status \($0.statusCode)" } ?? ""
        return (request?.summary ?? "no request") + status
    }

    /// What there is, without what may be secret.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "request": request?.summary as Any, "head": head as Any,
                "dataCount": data?.count as Any, "underlying": underlying as Any,
            ]
        )
    }
}
