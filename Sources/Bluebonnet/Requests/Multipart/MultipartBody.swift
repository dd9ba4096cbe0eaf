import BluebonnetTransport
import Foundation

/// The bytes of a form with a boundary, in segments of known lengths.
///
/// A body has no read position, so any number of ``MultipartReader``s can read it.
package struct MultipartBody: Sendable {
    enum Segment: Sendable {
        /// The text before a part's content or after the last part, or a part's content in memory.
        case bytes(Data)
        case file(MultipartFile, MultipartPart)
        case stream(length: Int64, BodyStreamFactory, MultipartPart)
    }

    package let boundary: String
    let segments: [Segment]
    /// The exact `Content-Length`.
    let length: Int64
    let throttle: BodyThrottle?

    package init(_ form: MultipartFormData) throws(MultipartFailure) {
        var number = form.seed
        try self.init(form) {
            // Any odd increment goes through all numbers.
            number &+= 0x9E37_79B9_7F4A_7C15
            return number
        }
    }

    init(
        _ form: MultipartFormData,
        random: () -> UInt64
    ) throws(MultipartFailure) {
        if let failure = form.failure { throw failure }
        if let given = form.givenBoundary {
            if let part = MultipartBoundary.part(of: form.parts, holding: "--" + given) {
                throw part.failure(.boundary(given))
            }
            boundary = given
        } else {
            boundary = MultipartBoundary.make(for: form.parts, random: random)
        }
        throttle = form.throttle
        var segments: [Segment] = []
        var length: Int64 = 0
        for part in form.parts {
            let head = Self.head(of: part, boundary, isFirst: segments.isEmpty)
            segments.append(.bytes(head))
            segments.append(Segment(part))
            try length.add(Int64(head.count), for: part)
            try length.add(part.length, for: part)
        }
        if let last = form.parts.last {
            let end = Data("\r\n--\(boundary)--\r\n".utf8)
            segments.append(.bytes(end))
            try length.add(Int64(end.count), for: last)
        }
        self.segments = segments
        self.length = length
    }

    /// The `Content-Type` of the body.
    package var contentType: String {
        let value = boundary.utf8.allSatisfy(\.isTokenByte) ? boundary : "\"\(boundary)\""
        return "multipart/form-data; boundary=\(value)"
    }

    /// Checks, before anything is sent, that the files are unchanged.
    func check() throws(MultipartFailure) {
        for case .file(let file, let part) in segments {
            do throws(FileFailure) {
                try file.check()
            } catch {
                throw part.failure(.file(error))
            }
        }
    }

    private static func head(of part: MultipartPart, _ boundary: String, isFirst: Bool) -> Data {
        var text = (isFirst ? "" : "\r\n") + "--\(boundary)\r\n"
        for field in part.fields { text += "\(field.name): \(field.value)\r\n" }
        return Data((text + "\r\n").utf8)
    }
}

extension MultipartBody.Segment {
    fileprivate init(_ part: MultipartPart) {
        switch part.content {
        case .data(let data): self = .bytes(data)
        case .file(let file): self = .file(file, part)
        case .stream(let length, let factory): self = .stream(length: length, factory, part)
        }
    }
}

extension Int64 {
    /// Adds a length without trapping, because a stream can be announced with any length.
    fileprivate mutating func add(
        _ count: Int64, for part: MultipartPart
    ) throws(MultipartFailure) {
        let (sum, overflows) = addingReportingOverflow(count)
        if overflows { throw part.failure(.length(part.length)) }
        self = sum
    }
}
