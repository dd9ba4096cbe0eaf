import BluebonnetTransport
public import Foundation
import FoundationNetworking

// `LocalizedError` does not suffice: Foundation on Linux ignores it for a `CustomNSError`.
extension BluebonnetError: CustomNSError {
    /// `NSURLErrorDomain`, for errors of every stage.
    public static var errorDomain: String { NSURLErrorDomain }

    /// The code of ``urlError``: the closest of the codes that `URLSession` reports.
    public var errorCode: Int { urlErrorCode.rawValue }

    /// The description, the failure reason, the failing URL and the underlying error, without
    /// secrets.
    ///
    /// The URL has no user, query and fragment.
    public var errorUserInfo: [String: Any] {
        // Only redacted values; the context has the originals.
        let redactor = context.redactor
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: description,
            NSLocalizedFailureReasonErrorKey: failureText(quotingBody: false),
        ]
        if let url = context.request?.url?.withoutSecrets {
            userInfo[NSURLErrorFailingURLErrorKey] =
                URL(string: redactor.redacted(url, by: .library))
        }
        if let underlying = context.underlying {
            userInfo[NSUnderlyingErrorKey] = redactor.printable(underlying)
        }
        return userInfo
    }
}
