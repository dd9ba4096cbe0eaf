public import BluebonnetChain

/// A part of a multipart form, with Moya's names.
public struct MultipartFormBodyPart: Sendable {
    /// The source of the bytes of a part.
    public enum FormDataProvider: Sendable {
        /// Bytes in memory.
        case data(Data)
        /// A file, which is read while it is sent.
        case file(URL)
        /// A closure that returns a new stream each time the form is sent, and the length in bytes.
        case stream(@Sendable () throws -> InputStream, UInt64)
    }

    /// The source of the bytes.
    public let provider: FormDataProvider
    /// The name of the form field.
    public let name: String
    /// The file name that the server receives; if nil, it is the name of the file, if there is one.
    public let fileName: String?
    /// The media type; if nil, it is that of the file, if there is one.
    public let mimeType: String?

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - provider: The source of the bytes.
    ///   - name: The name of the form field.
    ///   - fileName: The file name that the server receives. If nil, it is the name of the file, if
    ///     there is one.
    ///   - mimeType: The media type. If nil, it is that of the file, if there is one.
    public init(
        provider: FormDataProvider, name: String, fileName: String? = nil, mimeType: String? = nil
    ) {
        self.provider = provider
        self.name = name
        self.fileName = fileName
        self.mimeType = mimeType
    }
}

extension MultipartFormBodyPart.FormDataProvider {
    /// Returns a provider of a single stream with a length in bytes.
    ///
    /// The stream can be read only once, so sending the form again fails.
    @available(*, deprecated, message: "pass a closure that creates the stream: { InputStream(…) }")
    public static func stream(_ stream: InputStream, _ length: UInt64) -> Self {
        let once = OneStream(stream)
        return .stream({ try once.take() }, length)
    }
}

extension MultipartFormData: ExpressibleByArrayLiteral {
    /// Creates a form from parts with Moya's names.
    ///
    /// A part that cannot be sent, such as a missing file, fails the call that sends the form.
    ///
    /// - Parameters:
    ///   - fileManager: Has no effect.
    ///   - boundary: The boundary between the parts; nil for a random one.
    ///   - parts: The parts.
    public init(
        fileManager: FileManager = .default, boundary: String? = nil, parts: [MultipartFormBodyPart]
    ) {
        self.init(fileManager: fileManager, boundary: boundary)
        for part in parts { append(part) }
    }

    /// Creates a form from parts.
    ///
    /// - Parameter elements: The parts, in order.
    public init(arrayLiteral elements: MultipartFormBodyPart...) {
        self.init(parts: elements)
    }

    private mutating func append(_ part: MultipartFormBodyPart) {
        switch part.provider {
        case .data(let data):
            append(data, withName: part.name, fileName: part.fileName, mimeType: part.mimeType)
        case .file(let file):
            appending { form throws(MultipartFailure) in
                try form.appendPart(
                    fileURL: file, name: part.name, fileName: part.fileName,
                    mimeType: part.mimeType)
            }
        case .stream(let stream, let length):
            appending { form throws(MultipartFailure) in
                guard let length = Int64(exactly: length) else {
                    throw form.failure(part.name, .length(.max))
                }
                try form.appendPart(
                    length: length, name: part.name, fileName: part.fileName ?? "",
                    mimeType: part.mimeType, stream: stream)
            }
        }
    }
}
