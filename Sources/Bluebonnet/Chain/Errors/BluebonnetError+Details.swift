public import Foundation
import FoundationNetworking

// Alamofire's words for what an error knows.
extension BluebonnetError {
    /// The error below this one: of a body that could not be decoded the `DecodingError`, and of an exchange that failed
    /// the ``urlError``.
    public var underlyingError: (any Error)? {
        if let underlying = context.underlying {
            return (underlying as? ResponseSerializationError)?.decodingError ?? underlying
        }
        if case .transport = self { return urlError }
        return nil
    }

    /// The URL of the request; nil where that could not be built.
    public var url: URL? { context.request?.url }

    /// What was to become the URL, where it is none.
    public var urlConvertible: (any URLConvertible)? {
        (context.underlying as? URLConversionError)?.text
    }

    /// The status that was not accepted; nil where something else is wrong.
    public var responseCode: Int? {
        if case .unacceptableStatus(let code, _) = self { code } else { nil }
    }

    /// The content type that was not accepted; nil where something else is wrong, or there was none.
    public var responseContentType: String? {
        if case .unacceptableContentType(let type, _, _) = self { type } else { nil }
    }

    /// The content types that are accepted, sorted, where another one came; nil where something else is wrong.
    public var acceptableContentTypes: [String]? {
        if case .unacceptableContentType(_, let types, _) = self { types.sorted() } else { nil }
    }

    /// The encoding that the bytes of a text are not in; nil where something else is wrong.
    public var failedStringEncoding: String.Encoding? {
        (context.underlying as? ResponseSerializationError)?.encoding
    }

    /// The file of an upload that could not be read; nil where something else is wrong.
    public var sourceURL: URL? {
        guard case .file(let failure, _) = self, failure.isOfRequest else { return nil }
        return URL(fileURLWithPath: failure.path)
    }

    /// Where the file of a download could not be put; nil where something else is wrong.
    public var destinationURL: URL? {
        guard case .file(let failure, _) = self, !failure.isOfRequest else { return nil }
        return URL(fileURLWithPath: failure.path)
    }

    /// What it takes to go on with a download that broke; nil where that is impossible.
    public var downloadResumeData: Data? { resumeData }
}

extension FileFailure {
    /// Whether the file was to be sent; a download's is written.
    var isOfRequest: Bool {
        switch operation {
        case .open, .inspect, .read: true
        default: false
        }
    }
}
