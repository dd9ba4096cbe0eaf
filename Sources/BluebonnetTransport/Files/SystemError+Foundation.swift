import Foundation

extension SystemError {
    /// The error as users of Foundation know it.
    package var posixError: any Error {
        guard let code = POSIXErrorCode(rawValue: number) else {
            return NSError(domain: NSPOSIXErrorDomain, code: Int(number))
        }
        return POSIXError(code)
    }

    /// What is wrong and what to do, as ``explained(advice:)`` of what ``posixError`` was made of.
    package static func explanation(of error: any Error, advice: String) -> String {
        guard let code = (error as? POSIXError)?.code else { return "\(error); \(advice)" }
        return SystemError(code.rawValue).explained(advice: advice)
    }
}
