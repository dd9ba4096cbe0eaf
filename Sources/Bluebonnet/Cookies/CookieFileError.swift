import BluebonnetTransport
public import Foundation

/// The reason that a cookie file could not be read or written.
///
/// The file is left unchanged.
@nonexhaustive
public enum CookieFileError: Error, Sendable {
    /// The file does not exist.
    case notFound(URL)
    /// The file could not be read, or the URL is not a file URL.
    case unreadable(URL, underlying: any Error)
    /// The file is damaged, or is not a cookie file.
    case notACookieFile(URL, reason: String)
    /// A newer version of the library wrote the file, in the given version of the format.
    case newerVersion(URL, Int)
    /// The file could not be written.
    case unwritable(URL, underlying: any Error)
}

extension CookieFileError: CustomStringConvertible {
    /// A description of the error and how to resolve it.
    public var description: String {
        switch self {
        case .notFound(let url):
            "there is no cookie file at \(url.path); start with an empty jar and save it there"
        case .unreadable(let url, let error):
            "the cookie file \(url.path) cannot be read: "
                + SystemError.explanation(of: error, advice: "check the path and permissions")
        case .notACookieFile(let url, let reason):
            "\(url.path) is not a cookie file or is damaged (\(reason)); "
                + "remove it or choose another path"
        case .newerVersion(let url, let version):
            "the cookie file \(url.path) has format version \(version), which this version of the "
                + "library does not support; update the library or choose another path"
        case .unwritable(let url, let error):
            "the cookie file \(url.path) cannot be written: \(error)"
        }
    }
}
