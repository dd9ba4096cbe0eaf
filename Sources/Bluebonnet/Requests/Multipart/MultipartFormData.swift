import BluebonnetTransport
public import Foundation

/// The parts of a `multipart/form-data` body (RFC 7578), in the order in which they are sent.
///
/// ```swift
/// let form = try MultipartFormData { form in
///     try form.appendPart(fileURL: file, name: "photo")
///     form.appendPart(formData: Data("at the lake".utf8), name: "caption")
/// }
/// api.upload(.form(form, parameters: ["album": 7]), to: "photos") { response in
///     print(response.object ?? response.error ?? "nothing")
/// }
/// ```
///
/// Files and streams are read while they are sent, and are never held in memory as a whole. The
/// length of the body is exact and known in advance. After a redirect or a challenge, the body can
/// be sent again with the same boundary. The boundary is random and occurs in no data part, unless
/// you set one with ``setBoundary(_:)``.
///
/// Appending a file that cannot be read or is not a regular file is an error. The task fails if a
/// file changes or disappears later, or if a stream does not have its announced length. The
/// ``MultipartFailure`` names the part, and the server does not receive a complete body.
public struct MultipartFormData: Sendable {
    package private(set) var parts: [MultipartPart] = []
    private(set) var throttle: BodyThrottle?
    /// The boundary set by ``setBoundary(_:)``; nil for a random one.
    package private(set) var givenBoundary: String?
    /// The first failure to append a part, which is thrown when the body is created.
    package private(set) var failure: MultipartFailure?
    /// The seed of the random boundary, so that a form with the same parts keeps its boundary.
    let seed = UInt64.random(in: .min ... .max)
    let fileSystem: FileSystem

    /// Creates a form without parts.
    public init() {
        self.init(on: .linux)
    }

    /// Creates a form with the parts that a closure appends, and rethrows the closure's errors.
    public init(_ appendParts: (inout MultipartFormData) throws -> Void) rethrows {
        self.init()
        try appendParts(&self)
    }

    /// Appends the parts of another form, whose throttle and boundary take precedence.
    mutating func append(_ other: MultipartFormData) {
        parts += other.parts
        throttle = other.throttle ?? throttle
        givenBoundary = other.givenBoundary ?? givenBoundary
        failure = failure ?? other.failure
    }

    /// Appends a part and stores its failure, for members that do not throw.
    package mutating func appending(
        _ append: (inout MultipartFormData) throws(MultipartFailure) -> Void
    ) {
        do {
            try append(&self)
        } catch {
            failure = failure ?? error
        }
    }

    /// Sets the boundary between the parts, for servers and tests that need a specific one.
    ///
    /// If a data part contains two hyphens followed by the boundary, the creation of the body fails
    /// with a ``MultipartFailure``. Files and streams are not searched.
    ///
    /// - Parameter boundary: 1 to 70 letters, digits, spaces and `'()+_,-./:=?`, with no space at
    ///   the end (RFC 2046 section 5.1.1).
    /// - Throws: A ``RequestSerializationError`` for any other text.
    public mutating func setBoundary(_ boundary: String) throws(RequestSerializationError) {
        guard MultipartBoundary.isValid(boundary) else {
            throw RequestSerializationError(
                reason: """
                    the boundary \(boundary.quoted) is not valid; use 1 to 70 letters, digits, \
                    spaces and '()+_,-./:=?, with no space at the end
                    """)
        }
        givenBoundary = boundary
    }

    init(on fileSystem: FileSystem) {
        self.fileSystem = fileSystem
    }

    /// Limits the rate at which the body is sent, by a delay after each packet of bytes.
    ///
    /// Use it for links that a fast upload would saturate. No thread waits during a delay. After
    /// redirects and challenges, the body is sent again at the same rate. Writing the body to a
    /// file ignores the throttle.
    ///
    /// - Parameters:
    ///   - packetSize: The number of bytes to send between two delays, at least 1.
    ///   - delay: The delay after each packet, at most one day. A delay of zero or less removes the
    ///     throttle. The idle timeout keeps running during a delay, so it must be longer.
    ///   - clock: The clock that measures the delay.
    public mutating func throttleBandwidth(
        packetSize: Int,
        delay: Duration,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        throttle =
            delay > .zero
            ? BodyThrottle(
                packetSize: max(1, packetSize), delay: min(delay, .seconds(86_400)), clock: clock
            ) : nil
    }
}

extension MultipartFormData {
    /// Appends a field with a value, without a file name or content type.
    ///
    /// - Parameters:
    ///   - formData: The value of the field, sent as is.
    ///   - name: The name of the field. In this and all other names, `"`, CR and LF are sent as
    ///     `%22`, `%0D` and `%0A`, as browsers do. Other control characters except the tab are
    ///     escaped in the same way. All other characters are sent in UTF-8.
    public mutating func appendPart(formData: Data, name: String) {
        append(.data(formData), name: name, [.disposition(name: name)])
    }

    /// Appends a field with a content type but no file name, such as a field of JSON.
    ///
    /// - Parameters:
    ///   - formData: The value of the field, sent as is.
    ///   - name: The name of the field, escaped as in ``appendPart(formData:name:)``.
    ///   - mimeType: The Content-Type of the part.
    /// - Throws: A ``MultipartFailure`` if `mimeType` contains a control character.
    public mutating func appendPart(
        formData: Data,
        name: String,
        mimeType: String
    ) throws(MultipartFailure) {
        let type = HTTPHeaders.Field(name: "Content-Type", value: mimeType)
        try check(type, of: name)
        append(.data(formData), name: name, [.disposition(name: name), type])
    }

    /// Appends a file whose bytes are in memory.
    ///
    /// - Parameters:
    ///   - fileData: The content of the file.
    ///   - name: The name of the field.
    ///   - fileName: The name of the file.
    ///   - mimeType: The Content-Type of the part. If nil, it is derived from the extension of the
    ///     file name, and is `application/octet-stream` if the extension is unknown.
    /// - Throws: A ``MultipartFailure`` if `mimeType` contains a control character.
    public mutating func appendPart(
        fileData: Data,
        name: String,
        fileName: String,
        mimeType: String? = nil
    ) throws(MultipartFailure) {
        try append(.data(fileData), name, fileName, mimeType)
    }

    /// Appends a file that is read while it is sent.
    ///
    /// The call reads the size of the file, and blocks on the disk. The file must stay unchanged
    /// until it has been sent.
    ///
    /// - Parameters:
    ///   - fileURL: The URL of a regular file; links are followed.
    ///   - name: The name of the field.
    ///   - fileName: The name of the file; nil for the last component of its path.
    ///   - mimeType: The Content-Type of the part. If nil, it is derived from the extension of the
    ///     file name, and is `application/octet-stream` if the extension is unknown.
    /// - Throws: A ``MultipartFailure`` if the file cannot be read or is not a regular file, or if
    ///   `mimeType` contains a control character.
    public mutating func appendPart(
        fileURL: URL,
        name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) throws(MultipartFailure) {
        let file: MultipartFile
        do {
            file = try MultipartFile(fileURL, on: fileSystem)
        } catch {
            throw failure(name, .file(error))
        }
        try append(.file(file), name, fileName ?? file.name, mimeType)
    }

    /// Appends a file that is read from a stream while it is sent.
    ///
    /// - Parameters:
    ///   - length: The number of bytes in the stream. A stream with fewer or more bytes fails the
    ///     task.
    ///   - name: The name of the field.
    ///   - fileName: The name of the file.
    ///   - mimeType: The Content-Type of the part. If nil, it is derived from the extension of the
    ///     file name, and is `application/octet-stream` if the extension is unknown.
    ///   - stream: Creates the stream, and creates another one each time the body must be sent
    ///     again. It is called on a thread that it can block.
    /// - Throws: A ``MultipartFailure`` if the length is negative, or if `mimeType` contains a
    ///   control character.
    public mutating func appendPart(
        length: Int64,
        name: String,
        fileName: String,
        mimeType: String? = nil,
        stream: @escaping BodyStreamFactory
    ) throws(MultipartFailure) {
        guard length >= 0 else { throw failure(name, .length(length)) }
        try append(.stream(length: length, stream), name, fileName, mimeType)
    }

    /// Appends a part with its own header fields, which are sent as is and in order.
    ///
    /// - Parameters:
    ///   - headers: The header fields of the part. A part of a form needs a `Content-Disposition`
    ///     field.
    ///   - body: The content of the part.
    /// - Throws: A ``MultipartFailure`` if a name is not a token or a value contains a control
    ///   character.
    public mutating func appendPart(
        headers: HTTPHeaders,
        body: Data
    ) throws(MultipartFailure) {
        for field in headers { try check(field, of: nil) }
        append(.data(body), name: nil, headers.fields)
    }

    private mutating func append(
        _ content: MultipartPart.Content,
        _ name: String,
        _ fileName: String,
        _ mimeType: String?
    ) throws(MultipartFailure) {
        let type = HTTPHeaders.Field(
            name: "Content-Type", value: mimeType ?? MIMEType.ofFile(named: fileName)
        )
        try check(type, of: name)
        append(content, name: name, [.disposition(name: name, fileName: fileName), type])
    }

    package mutating func append(
        _ content: MultipartPart.Content,
        name: String?,
        _ fields: [HTTPHeaders.Field]
    ) {
        parts.append(
            MultipartPart(name: name, number: parts.count + 1, fields: fields, content: content)
        )
    }

    package func check(
        _ field: HTTPHeaders.Field,
        of name: String?
    ) throws(MultipartFailure) {
        do throws(RequestSerializationError) {
            try field.check()
        } catch {
            throw failure(name, .header(error))
        }
    }

    package func failure(_ name: String?, _ reason: MultipartFailure.Reason) -> MultipartFailure {
        MultipartFailure(partName: name, partNumber: parts.count + 1, reason: reason)
    }
}

extension MultipartFormData: CustomStringConvertible, CustomReflectable {
    /// The number of parts, without their contents.
    public var description: String { "a form of \(parts.count) parts" }

    /// The names and lengths of the parts.
    public var customMirror: Mirror {
        Mirror(
            self,
            unlabeledChildren: parts.map { "\($0.name ?? "part \($0.number)"): \($0.length) bytes" }
        )
    }
}
