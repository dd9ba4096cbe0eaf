import BluebonnetTransport
public import Foundation
import FoundationNetworking

extension BluebonnetError: CustomStringConvertible, CustomReflectable, LocalizedError {
    /// The failure, its request, and what to do about it, on one line.
    public var description: String {
        let redactor = context.redactor
        let attempt = context.attempt.map { $0 > 1 ? ", attempt \($0)" : "" } ?? ""
        let request = redactor.summary(of: context.request)
        return "\(failureText(quotingBody: true)) [\(request)\(attempt)]"
    }

    /// Returns the failure without the request.
    ///
    /// - Parameter quotesBody: Whether the beginning of the body follows, and values in it that could not
    ///   be decoded are shown.
    /// - Returns: The failure on one line.
    func failureText(quotingBody quotesBody: Bool) -> String {
        let redactor = context.redactor
        let notes = [
            context.retryNote, context.cutRecord.map { "\($0), is incomplete" },
        ]
        let note = notes.compactMap { $0.map { "; \($0)" } }.joined()
        let text = redactor.redacted(reason(redactor, quotesBody) + note, by: .library)
        return quotesBody ? text + excerpt(redactor) : text
    }

    /// The same as `description`.
    public var errorDescription: String? { description }

    /// The failure on one line, without the request and the body.
    public var failureReason: String? { failureText(quotingBody: false) }

    /// Only the description, since the context can contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    private func reason(_ redactor: TaskRedactor, _ quotesBody: Bool) -> String {
        switch self {
        case .invalidRequest(let text, _):
            "the request could not be built, and nothing was sent: \(text)"
        case .adaptation(let text, _):
            "the request could not be adapted, and was not sent: \(text)"
        case .retry(let text, let context):
            "a retrier ended the task: \(text)\(Self.original(context))"
        case .securityPolicy(let text, _):
            "nothing was sent: \(text)"
        case .sessionInvalidated:
            "the manager was invalidated or released before the task started; create a new manager"
        case .transport(let failure, _):
            failure.description
        case .requestBody(let text, _):
            "the request's body could not be read and was not sent completely: \(text)"
        case .authentication(let text, _):
            text
        case .file(let failure, _):
            failure.description
        case .redirect(let text, _):
            "the redirect was not followed: \(text)"
        case .unacceptableStatus(let code, let context):
            """
            the status \(code) (\(Self.phrase(code))) is not acceptable\(Self.accepted(context))
            """
        case .unacceptableContentType(let type, let acceptable, _):
            """
            the content type \(Self.quoted(type, redactor)) is not acceptable; \
            accepted: \(Self.list(acceptable))
            """
        case .validation(let text, _):
            "a validator refused the response: \(redactor.redacted(text, by: .server))"
        case .unreadableBody(let text, let context):
            "the body could not be read: "
                + redactor.redacted(
                    quotesBody ? text : Self.textWithoutValue(context) ?? text, by: .server)
        case .cancelled(let context):
            context.cancellation?.text ?? "the task was canceled"
        }
    }

    private static func original(_ context: Context) -> String {
        guard let error = context.attemptError else { return "" }
        return "; the attempt failed because \(error.failureText(quotingBody: false))"
    }

    /// Returns where a value could not be decoded, if the decoder's own words can quote the value, as those
    /// about an enum without such a case do.
    private static func textWithoutValue(_ context: Context) -> String? {
        let error =
            context.underlying as? DecodingError
            ?? (context.underlying as? ResponseSerializationError)?.decodingError
        guard case .dataCorrupted(let found) = error else { return nil }
        let place = ResponseSerializationError.place(found.codingPath)
        return place.isEmpty ? "a value is not valid" : "\(place): the value is not valid"
    }

    private static func phrase(_ code: Int) -> String {
        HTTPURLResponse.localizedString(forStatusCode: code)
    }

    /// Returns the acceptable status codes as ranges.
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
        return "; accepted: \(ranges.isEmpty ? "none" : list)"
    }

    /// Only the type and body of the response are shown, because its header fields can contain
    /// secrets.
    private func excerpt(_ redactor: TaskRedactor) -> String {
        guard isAboutResponse, let data = context.data,
            let text = BodyExcerpt.text(
                data, charset: context.head?.charset, contentType: context.head?.mimeType,
                redactor: redactor)
        else { return "" }
        let size = data.count == 1 ? "1 byte" : "\(data.count) bytes"
        let part = context.isDataCut ? "the body, cut after \(size)," : "the body of \(size)"
        return "; \(part) begins with: \(text)"
    }

    private var isAboutResponse: Bool {
        switch self {
        case .unacceptableStatus, .unacceptableContentType, .validation, .unreadableBody: true
        default: false
        }
    }

    private static func quoted(_ type: String?, _ redactor: TaskRedactor) -> String {
        guard let type else { return "is missing and" }
        let shown = redactor.redacted(type, by: .server, limit: 100)
        return "\"\(BodyExcerpt.printable(shown))\""
    }

    private static func list(_ types: Set<String>) -> String {
        types.isEmpty ? "none" : types.sorted().joined(separator: ", ")
    }
}

extension BluebonnetError.Context: CustomStringConvertible, CustomReflectable {
    /// The request and status on one line, without secrets.
    public var description: String {
        let status = head.map { ", status \($0.statusCode)" } ?? ""
        return redactor.summary(of: request) + status
    }

    /// The context's contents, without secrets.
    public var customMirror: Mirror {
        let redactor = redactor
        return Mirror(
            self,
            children: [
                "request": redactor.summary(of: request),
                "head": head.map(redactor.redacted) as Any, "dataCount": data?.count as Any,
                "underlying": underlying.map(redactor.printable) as Any,
            ]
        )
    }

    /// The redactor for the secrets of the task and of the request.
    var redactor: TaskRedactor {
        var redactor = sent ?? TaskRedactor()
        redactor.request = request
        return redactor
    }
}
