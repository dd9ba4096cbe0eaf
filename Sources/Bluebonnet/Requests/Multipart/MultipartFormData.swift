import BluebonnetTransport
public import Foundation

/// The parts of a `multipart/form-data` body (RFC 7578), sent in the order they were appended in.
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
/// Files and streams are read while they are sent, never whole. The body's length is exact and
/// known before, and it can be sent again, after a redirect or a challenge, with the same boundary.
/// The boundary is random and occurs in no data part, unless ``setBoundary(_:)`` gives another.
///
/// A file that cannot be read, or is no regular file, is an error when it is appended. One that
/// changes or vanishes after that, and a stream of another length than announced, fail the task
/// with a ``MultipartFailure`` that names the part, and the server gets no whole body.
public struct MultipartFormData: Sendable {
    private(set) var parts: [MultipartPart] = []
    private(set) var throttle: BodyThrottle?
    /// The text between the parts, as ``setBoundary(_:)`` gives it; nil for a random one.
    private(set) var givenBoundary: String?
    /// Why the first of the parts that could not be appended was not; it fails what the form is sent with.
    private(set) var failure: MultipartFailure?
    /// What the random boundary is drawn from, so that it is the same as long as the parts are.
    let seed = UInt64.random(in: .min ... .max)
    let fileSystem: FileSystem

    /// Makes a form without parts.
    public init() {
        self.init(on: .linux)
    }

    /// Makes a form of the parts that a closure appends; throws what the closure throws.
    public init(_ appendParts: (inout MultipartFormData) throws -> Void) rethrows {
        self.init()
        try appendParts(&self)
    }

    /// Appends the parts of another form, at whose pace all of them are sent.
    mutating func append(_ other: MultipartFormData) {
        parts += other.parts
        throttle = other.throttle ?? throttle
        givenBoundary = other.givenBoundary ?? givenBoundary
        failure = failure ?? other.failure
    }

    /// Appends a part whose failure is kept, for members that do not throw.
    mutating func appending(
        _ append: (inout MultipartFormData) throws(MultipartFailure) -> Void
    ) {
        do {
            try append(&self)
        } catch {
            failure = failure ?? error
        }
    }

    /// Sets the text between the parts, for servers and tests that want a certain one.
    ///
    /// A form whose data parts have it behind two hyphens fails with a ``MultipartFailure`` when its
    /// body is made. Files and streams are not searched.
    ///
    /// - Parameter boundary: 1 to 70 letters, digits, spaces and `'()+_,-./:=?`, with no space at
    ///   the end (RFC 2046 section 5.1.1).
    /// - Throws: An error for any other text.
    public mutating func setBoundary(_ boundary: String) throws(RequestSerializationError) {
        guard MultipartBoundary.isValid(boundary) else {
            throw RequestSerializationError(
                reason: """
                    the boundary \(boundary.quoted) cannot be sent; it takes 1 to 70 letters, digits, \
                    spaces and '()+_,-./:=?, with no space at the end
                    """)
        }
        givenBoundary = boundary
    }

    init(on fileSystem: FileSystem) {
        self.fileSystem = fileSystem
    }

    /// Slows the sending down: at most one packet of bytes goes out in each delay.
    ///
    /// It is meant for links that a fast upload would fill. No thread waits meanwhile. Redirects
    /// and challenges send the body again at the same pace; writing to a file takes no notice of it.
    ///
    /// - Parameters:
    ///   - packetSize: How many bytes go out between two delays, at least 1.
    ///   - delay: How long to wait after each packet, at most a day; none removes the throttle. The
    ///     idle timeout goes on meanwhile, so it must be longer.
    ///   - clock: What measures the delay.
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
    /// Appends a field: bytes without a file name and without a type.
    ///
    /// - Parameters:
    ///   - formData: The field's value, sent as it is.
    ///   - name: The field's name. In this and every other name, `"`, CR and LF are sent as `%22`,
    ///     `%0D` and `%0A`, as browsers do, other control characters but the tab in the same way, and
    ///     the rest in UTF-8.
    public mutating func appendPart(formData: Data, name: String) {
        append(.data(formData), name: name, [.disposition(name: name)])
    }

    /// Appends a field with a content type, and without a file name, such as one of JSON.
    ///
    /// - Parameters:
    ///   - formData: The field's value, sent as it is.
    ///   - name: The field's name, escaped as in ``appendPart(formData:name:)``.
    ///   - mimeType: The part's Content-Type.
    /// - Throws: A failure when `mimeType` holds a control character.
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
    ///   - fileData: The file's content.
    ///   - name: The field's name.
    ///   - fileName: What the file is called.
    ///   - mimeType: The part's Content-Type; nil for that of the file name's extension,
    ///     `application/octet-stream` for an unknown one.
    /// - Throws: A failure when `mimeType` holds a control character.
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
    /// Its size is taken now; the file must stay as it is until it was sent. This call waits for
    /// the disk.
    ///
    /// - Parameters:
    ///   - fileURL: A regular file; links are followed.
    ///   - name: The field's name.
    ///   - fileName: What the file is called; nil for the last component of its path.
    ///   - mimeType: The part's Content-Type; nil for that of the file name's extension,
    ///     `application/octet-stream` for an unknown one.
    /// - Throws: A failure when the file cannot be read or is no regular file, or `mimeType` holds a
    ///   control character.
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
    ///   - length: How many bytes the stream has. One with fewer or more fails the task.
    ///   - name: The field's name.
    ///   - fileName: What the file is called.
    ///   - mimeType: The part's Content-Type; nil for that of the file name's extension,
    ///     `application/octet-stream` for an unknown one.
    ///   - stream: Makes the stream, and makes another where the body must be sent once more.
    ///     Called on a thread that may wait.
    /// - Throws: A failure when the length is negative, or `mimeType` holds a control character.
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

    /// Appends a part with header fields of its own, sent as they are and in their order.
    ///
    /// - Parameters:
    ///   - headers: The part's fields; a form's part needs a `Content-Disposition` among them.
    ///   - body: The part's content.
    /// - Throws: A failure when a name is not a token or a value holds a control character.
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

    mutating func append(
        _ content: MultipartPart.Content,
        name: String?,
        _ fields: [HTTPHeaders.Field]
    ) {
        parts.append(
            MultipartPart(name: name, number: parts.count + 1, fields: fields, content: content)
        )
    }

    func check(
        _ field: HTTPHeaders.Field,
        of name: String?
    ) throws(MultipartFailure) {
        do throws(RequestSerializationError) {
            try field.check()
        } catch {
            throw failure(name, .header(error))
        }
    }

    func failure(_ name: String?, _ reason: MultipartFailure.Reason) -> MultipartFailure {
        MultipartFailure(partName: name, partNumber: parts.count + 1, reason: reason)
    }
}

extension MultipartFormData: CustomStringConvertible, CustomReflectable {
    /// How many parts there are; what they hold is not in it.
    public var description: String { "a form of \(parts.count) parts" }

    /// The parts' names and lengths.
    public var customMirror: Mirror {
        Mirror(
            self,
            unlabeledChildren: parts.map { "\($0.name ?? "part \($0.number)"): \($0.length) bytes" }
        )
    }
}
