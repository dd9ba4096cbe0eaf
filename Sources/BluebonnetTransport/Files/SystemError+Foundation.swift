import Foundation

extension SystemError {
    /// The error as a `POSIXError`, or as an `NSError` if Foundation does not know its number.
    package var posixError: any Error {
        guard let code = POSIXErrorCode(rawValue: number) else {
            return NSError(domain: NSPOSIXErrorDomain, code: Int(number))
        }
        return POSIXError(code)
    }

    /// Returns the text of ``explained(advice:)`` for an error from ``posixError``.
    ///
    /// Other errors are described, followed by the advice.
    package static func explanation(of error: any Error, advice: String) -> String {
        guard let code = (error as? POSIXError)?.code else { return "\(error); \(advice)" }
        return SystemError(code.rawValue).explained(advice: advice)
    }
}
