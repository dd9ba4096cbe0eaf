public import Bluebonnet

// Alamofire's members do not throw. If the boundary is not valid or a part cannot be appended, the
// request that sends the form fails.
extension MultipartFormData {
    /// Creates a form without parts.
    ///
    /// - Parameters:
    ///   - fileManager: Has no effect.
    ///   - boundary: The boundary between the parts, as for
    ///     ``/Bluebonnet/MultipartFormData/setBoundary(_:)``; nil, the default, for a random one.
    public init(fileManager: FileManager = .default, boundary: String? = nil) {
        self.init()
        guard let boundary else { return }
        appending { form throws(MultipartFailure) in
            do throws(RequestSerializationError) {
                try form.setBoundary(boundary)
            } catch {
                throw form.failure(nil, .header(error))
            }
        }
    }

    /// Appends a field, or a file from memory.
    ///
    /// - Parameters:
    ///   - data: The content of the part.
    ///   - name: The name of the field, escaped as in
    ///     ``/Bluebonnet/MultipartFormData/appendPart(formData:name:)``.
    ///   - fileName: The name of the file; nil, the default, for a field.
    ///   - mimeType: The Content-Type of the part; nil, the default, for none.
    public mutating func append(
        _ data: Data, withName name: String, fileName: String? = nil, mimeType: String? = nil
    ) {
        append(.data(data), name, fileName, mimeType)
    }

    /// Appends a file that is read while it is sent.
    ///
    /// The part has the name of the file and the content type of its extension. A file without an
    /// extension fails the request.
    ///
    /// - Parameters:
    ///   - fileURL: A regular file; symbolic links are followed. Its size is read now.
    ///   - name: The name of the field.
    public mutating func append(_ fileURL: URL, withName name: String) {
        appending { form throws(MultipartFailure) in
            let typeless = form.failure(name, .fileName(fileURL.lastPathComponent))
            // Appended first, because a missing file matters more than a missing extension.
            try form.appendPart(fileURL: fileURL, name: name)
            if fileURL.pathExtension.isEmpty { throw typeless }
        }
    }

    /// Appends a file that is read while it is sent, with a name and a content type.
    ///
    /// - Parameters:
    ///   - fileURL: A regular file; symbolic links are followed. Its size is read now.
    ///   - name: The name of the field.
    ///   - fileName: The name of the file.
    ///   - mimeType: The Content-Type of the part.
    public mutating func append(
        _ fileURL: URL, withName name: String, fileName: String, mimeType: String
    ) {
        appending { form throws(MultipartFailure) in
            try form.appendPart(
                fileURL: fileURL, name: name, fileName: fileName, mimeType: mimeType)
        }
    }

    /// Appends a file from a stream, which can be read only once.
    ///
    /// The request fails if the body must be sent again.
    ///
    /// - Parameters:
    ///   - stream: A stream that has not been opened.
    ///   - length: The number of bytes. A stream with fewer or more bytes fails the request.
    ///   - name: The name of the field.
    ///   - fileName: The name of the file.
    ///   - mimeType: The Content-Type of the part.
    @available(*, deprecated, message: "use appendPart(length:name:fileName:mimeType:stream:)")
    public mutating func append(
        _ stream: InputStream, withLength length: UInt64, name: String, fileName: String,
        mimeType: String
    ) {
        append(stream, length, name, fileName, mimeType)
    }

    /// Appends a part from a stream, which can be read only once, with its own header fields.
    ///
    /// - Parameters:
    ///   - stream: A stream that has not been opened.
    ///   - length: The number of bytes. A stream with fewer or more bytes fails the request.
    ///   - headers: The header fields of the part; a form requires a `Content-Disposition`.
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
    /// The `Content-Type` of the form.
    ///
    /// Its boundary changes only when the parts change.
    public var contentType: String {
        (try? MultipartBody(self))?.contentType ?? "multipart/form-data"
    }

    /// The text that separates the parts.
    ///
    /// It is the one set with ``/Bluebonnet/MultipartFormData/setBoundary(_:)``, or a random one
    /// that changes only when the parts change.
    public var boundary: String { givenBoundary ?? (try? MultipartBody(self))?.boundary ?? "" }

    /// The number of bytes of the parts' contents, without boundaries and header fields.
    public var contentLength: UInt64 {
        parts.reduce(0) { sum, part in
            let (total, overflows) = sum.addingReportingOverflow(UInt64(max(0, part.length)))
            return overflows ? .max : total
        }
    }

    /// Returns the whole body in memory.
    ///
    /// This method blocks on the disk.
    ///
    /// - Throws: A ``/Bluebonnet/MultipartFailure`` if a part could not be appended or read.
    public func encode() throws -> Data {
        let reader = MultipartReader(try MultipartBody(self))
        var data = Data()
        while case let piece = try reader.read(upTo: 1 << 18), !piece.isEmpty { data += piece }
        return data
    }

    /// Writes the body to a file, completely or not at all.
    ///
    /// This method blocks on the disk.
    ///
    /// - Parameter fileURL: The location of the file. An existing file is not replaced.
    /// - Throws: A ``/Bluebonnet/MultipartFailure`` if a part could not be appended or read, or a
    ///   ``/Bluebonnet/FileFailure`` if the file could not be written.
    public func writeEncodedData(to fileURL: URL) throws {
        try MultipartBody(self).writeAll(to: fileURL, [], .linux, CancellableWrite())
    }
}

/// A stream that can be taken once.
package final class OneStream: Sendable {
    // `nonisolated(unsafe)` because the stream is not Sendable: only the first caller to set
    // `isTaken` touches it.
    nonisolated(unsafe) private var stream: InputStream?
    private let isTaken = Locked(false)

    package init(_ stream: InputStream) {
        self.stream = stream
    }

    package func take() throws -> InputStream {
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFirst, let stream else {
            throw RequestSerializationError(
                reason: "the stream was already read; append a closure that creates a new one")
        }
        self.stream = nil
        return stream
    }
}
