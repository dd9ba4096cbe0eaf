import BluebonnetTransport
public import Foundation

/// Why a file of cookies could not be read or written; the file is as it was.
@nonexhaustive
public enum CookieFileError: Error, Sendable {
    /// There is no such file.
    case notFound(URL)
    /// The system did not let the file be read.
    case unreadable(URL, underlying: any Error)
    /// The file is damaged, or another program's.
    case notACookieFile(URL, reason: String)
    /// A newer version of the library wrote the file, in this version of the format.
    case newerVersion(URL, Int)
    /// The system did not let the file be written.
    case unwritable(URL, underlying: any Error)
}

extension CookieFileError: CustomStringConvertible {
    /// What happened and what to do.
    public var description: String {
        switch self {
        case .notFound(let url):
            "there is no cookie file at \(url.path); start with an empty jar and save it there"
        case .unreadable(let url, let error):
            "the cookie file \(url.path) cannot be read: "
                + SystemError.explanation(of: error, advice: "check path and permissions")
        case .notACookieFile(let url, let reason):
            "\(url.path) is no cookie file or a damaged one (\(reason)); "
                + "remove it or choose another place"
        case .newerVersion(let url, let version):
            "the cookie file \(url.path) has format version \(version), which this version of the "
                + "library does not know; update the library or choose another place"
        case .unwritable(let url, let error):
            "the cookie file \(url.path) cannot be written: \(error)"
        }
    }
}
