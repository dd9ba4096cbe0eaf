public import Bluebonnet

// Alamofire's names for the details of an error.
extension BluebonnetError {
    /// The error that caused this one.
    ///
    /// For a body that could not be decoded, it is the `DecodingError`. For a failed exchange, it
    /// is the ``/Bluebonnet/BluebonnetError/urlError``.
    public var underlyingError: (any Error)? {
        if let underlying = context.underlying {
            return (underlying as? ResponseSerializationError)?.decodingError ?? underlying
        }
        if case .transport = self { return urlError }
        return nil
    }

    /// The URL of the request; nil if the request could not be created.
    public var url: URL? { context.request?.url }

    /// The text that could not be converted to a URL; nil for other errors.
    public var urlConvertible: (any URLConvertible)? {
        (context.underlying as? URLConversionError)?.text
    }

    /// The status code that was not accepted; nil for other errors.
    public var responseCode: Int? {
        if case .unacceptableStatus(let code, _) = self { code } else { nil }
    }

    /// The content type that was not accepted; nil for other errors, and if the response had none.
    public var responseContentType: String? {
        if case .unacceptableContentType(let type, _, _) = self { type } else { nil }
    }

    /// The acceptable content types, sorted, if the response had a different one; nil for other
    /// errors.
    public var acceptableContentTypes: [String]? {
        if case .unacceptableContentType(_, let types, _) = self { types.sorted() } else { nil }
    }

    /// The text encoding with which a body could not be decoded; nil for other errors.
    public var failedStringEncoding: String.Encoding? {
        (context.underlying as? ResponseSerializationError)?.encoding
    }

    /// The file of an upload that could not be read; nil for other errors.
    public var sourceURL: URL? {
        guard case .file(let failure, _) = self, failure.isOfRequest else { return nil }
        return URL(fileURLWithPath: failure.path)
    }

    /// The location at which a download's file could not be written; nil for other errors.
    public var destinationURL: URL? {
        guard case .file(let failure, _) = self, !failure.isOfRequest else { return nil }
        return URL(fileURLWithPath: failure.path)
    }

    /// The data for resuming a failed download; nil if it cannot be resumed.
    public var downloadResumeData: Data? { resumeData }
}

extension FileFailure {
    /// Whether the failure concerns a file to send, rather than the file of a download.
    var isOfRequest: Bool {
        switch operation {
        case .open, .inspect, .read: true
        default: false
        }
    }
}
