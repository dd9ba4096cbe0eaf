public import Foundation

/// A part of a form, in Moya's form.
public struct MultipartFormBodyPart: Sendable {
    /// Where the bytes of a part come from.
    public enum FormDataProvider: Sendable {
        /// From memory.
        case data(Data)
        /// From a file, which is read while it is sent.
        case file(URL)
        /// From streams of so many bytes, made anew each time the form is sent.
        case stream(@Sendable () throws -> InputStream, UInt64)
    }

    /// Where the bytes come from.
    public let provider: FormDataProvider
    /// The name of the field.
    public let name: String
    /// The name of the file that the server sees; nil for that of the file, if there is one.
    public let fileName: String?
    /// The media type; nil for that of the file, if there is one.
    public let mimeType: String?

    /// Makes a part.
    ///
    /// - Parameters:
    ///   - provider: Where the bytes come from.
    ///   - name: The name of the field.
    ///   - fileName: The name of the file that the server sees; nil for that of the file, if there is one.
    ///   - mimeType: The media type; nil for that of the file, if there is one.
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
    /// A stream of so many bytes, which can be read once: a form that has to be sent again fails.
    @available(*, deprecated, message: "pass a closure that makes the stream: { InputStream(…) }")
    public static func stream(_ stream: InputStream, _ length: UInt64) -> Self {
        let once = OneStream(stream)
        return .stream({ try once.take() }, length)
    }
}

extension MultipartFormData: ExpressibleByArrayLiteral {
    /// Makes a form of parts, in Moya's form.
    ///
    /// What cannot be sent, such as a file that is not there, fails the call that the form is sent with.
    ///
    /// - Parameters:
    ///   - fileManager: Has no effect.
    ///   - boundary: The text between the parts; nil for a random one.
    ///   - parts: The parts.
    public init(
        fileManager: FileManager = .default, boundary: String? = nil, parts: [MultipartFormBodyPart]
    ) {
        self.init()
        if let boundary {
            appending { form throws(MultipartFailure) in
                do throws(RequestSerializationError) {
                    try form.setBoundary(boundary)
                } catch {
                    throw form.failure(nil, .header(error))
                }
            }
        }
        for part in parts { append(part) }
    }

    /// Makes a form of parts.
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
