public import Foundation

// Alamofire's members, which do not throw: what cannot be appended fails the request that the form is sent with.
extension MultipartFormData {
    /// Appends a field, or a file whose bytes are in memory.
    ///
    /// - Parameters:
    ///   - data: The part's content.
    ///   - name: The field's name, escaped as in ``appendPart(formData:name:)``.
    ///   - fileName: What the file is called; nil, the default, for a field.
    ///   - mimeType: The part's Content-Type; nil, the default, for none.
    public mutating func append(
        _ data: Data, withName name: String, fileName: String? = nil, mimeType: String? = nil
    ) {
        append(.data(data), name, fileName, mimeType)
    }

    /// Appends a file that is read while it is sent, with its own name and the type of its extension.
    ///
    /// A file without an extension fails the request.
    ///
    /// - Parameters:
    ///   - fileURL: A regular file; links are followed. Its size is taken now.
    ///   - name: The field's name.
    public mutating func append(_ fileURL: URL, withName name: String) {
        let fileName = fileURL.lastPathComponent
        guard !fileURL.pathExtension.isEmpty else {
            return appending { form throws(MultipartFailure) in
                throw form.failure(name, .fileName(fileName))
            }
        }
        appending { form throws(MultipartFailure) in
            try form.appendPart(fileURL: fileURL, name: name)
        }
    }

    /// Appends a file that is read while it is sent.
    ///
    /// - Parameters:
    ///   - fileURL: A regular file; links are followed. Its size is taken now.
    ///   - name: The field's name.
    ///   - fileName: What the file is called.
    ///   - mimeType: The part's Content-Type.
    public mutating func append(
        _ fileURL: URL, withName name: String, fileName: String, mimeType: String
    ) {
        appending { form throws(MultipartFailure) in
            try form.appendPart(
                fileURL: fileURL, name: name, fileName: fileName, mimeType: mimeType)
        }
    }

    /// Appends a file that is read from a stream, which can be read only once: a body that has to be sent again fails
    /// the request.
    ///
    /// - Parameters:
    ///   - stream: A stream that nothing has opened.
    ///   - length: How many bytes it has. One with fewer or more fails the request.
    ///   - name: The field's name.
    ///   - fileName: What the file is called.
    ///   - mimeType: The part's Content-Type.
    @available(*, deprecated, message: "use appendPart(length:name:fileName:mimeType:stream:)")
    public mutating func append(
        _ stream: InputStream, withLength length: UInt64, name: String, fileName: String,
        mimeType: String
    ) {
        append(stream, length, name, fileName, mimeType)
    }

    /// Appends what is read from a stream, once, with header fields of its own.
    ///
    /// - Parameters:
    ///   - stream: A stream that nothing has opened.
    ///   - length: How many bytes it has. One with fewer or more fails the request.
    ///   - headers: The part's fields; a form's part needs a `Content-Disposition` among them.
    @available(*, deprecated, message: "append the data with appendPart(headers:body:)")
    public mutating func append(
        _ stream: InputStream, withLength length: UInt64, headers: HTTPHeaders
    ) {
        appending { form throws(MultipartFailure) in
            for field in headers { try form.check(field, of: nil) }
            try form.append(stream, length, name: nil, headers.fields)
        }
    }

    private mutating func append(
        _ content: MultipartPart.Content, _ name: String, _ fileName: String?, _ mimeType: String?
    ) {
        appending { form throws(MultipartFailure) in
            var fields = [HTTPHeaders.Field.disposition(name: name, fileName: fileName)]
            if let mimeType { fields.append(.contentType(mimeType)) }
            for field in fields.dropFirst() { try form.check(field, of: name) }
            form.append(content, name: name, fields)
        }
    }

    private mutating func append(
        _ stream: InputStream, _ length: UInt64, _ name: String, _ fileName: String,
        _ mimeType: String
    ) {
        appending { form throws(MultipartFailure) in
            let fields = [
                HTTPHeaders.Field.disposition(name: name, fileName: fileName),
                .contentType(mimeType),
            ]
            try form.check(fields[1], of: name)
            try form.append(stream, length, name: name, fields)
        }
    }

    private mutating func append(
        _ stream: InputStream, _ length: UInt64, name: String?, _ fields: [HTTPHeaders.Field]
    ) throws(MultipartFailure) {
        guard let length = Int64(exactly: length) else { throw failure(name, .length(.max)) }
        let stock = OneStream(stream)
        append(.stream(length: length) { try stock.take() }, name: name, fields)
    }
}

extension MultipartFormData {
    /// The `Content-Type` of the form; its boundary is the same as long as the parts are.
    public var contentType: String {
        (try? MultipartBody(self))?.contentType ?? "multipart/form-data"
    }

    /// The text between the parts: that of ``setBoundary(_:)``, or a random one that is the same as long as the parts
    /// are.
    public var boundary: String { givenBoundary ?? (try? MultipartBody(self))?.boundary ?? "" }

    /// How many bytes the contents of the parts have, without what stands between them.
    public var contentLength: UInt64 {
        parts.reduce(0) { sum, part in
            let (total, overflows) = sum.addingReportingOverflow(UInt64(max(0, part.length)))
            return overflows ? .max : total
        }
    }

    /// The whole body, in memory.
    ///
    /// This call waits for the disk.
    ///
    /// - Throws: A ``MultipartFailure`` for what could not be appended or read.
    public func encode() throws -> Data {
        let reader = MultipartReader(try MultipartBody(self))
        var data = Data()
        while case let piece = try reader.read(upTo: 1 << 18), !piece.isEmpty { data += piece }
        return data
    }

    /// Writes the body to a file, which is there complete or not at all.
    ///
    /// This call waits for the disk.
    ///
    /// - Parameter fileURL: Where the file goes; nothing is replaced.
    /// - Throws: A ``MultipartFailure`` for what could not be appended or read, a ``FileFailure`` for what could not be
    ///   written.
    public func writeEncodedData(to fileURL: URL) throws {
        try MultipartBody(self).writeAll(to: fileURL, [], .linux, CancellableWrite())
    }
}

/// A stream that is given away once.
final class OneStream: Sendable {
    // `nonisolated(unsafe)` because the stream is not Sendable: only the first caller to set `isTaken` touches it.
    nonisolated(unsafe) private var stream: InputStream?
    private let isTaken = Locked(false)

    init(_ stream: InputStream) {
        self.stream = stream
    }

    func take() throws -> InputStream {
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFirst, let stream else {
            throw RequestSerializationError(
                reason: "the stream was read already; append it with a closure that makes it anew")
        }
        self.stream = nil
        return stream
    }
}
