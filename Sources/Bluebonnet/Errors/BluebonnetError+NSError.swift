import BluebonnetTransport
public import Foundation
import FoundationNetworking

// Not by `LocalizedError` alone, which Foundation on Linux leaves out where there is this.
extension BluebonnetError: CustomNSError {
    /// `NSURLErrorDomain`, whatever the stage.
    public static var errorDomain: String { NSURLErrorDomain }

    /// The code of ``urlError``, the nearest of those that `URLSession` gives.
    public var errorCode: Int { urlErrorCode.rawValue }

    /// Description and reason, the failing URL without user, query and fragment, and the error below as it
    /// may be printed.
    public var errorUserInfo: [String: Any] {
        // Only what may be printed: the context has the originals.
        let redactor = context.redactor
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: description,
            NSLocalizedFailureReasonErrorKey: failureText,
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
