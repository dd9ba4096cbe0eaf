import Foundation

@testable import Bluebonnet

/// The property that an independent reader finds the parts of a form in its body.
///
/// This holds for reads of any size. If a part fails, there must be no complete body.
struct MultipartProperty {
    private let draft: MultipartDraft
    private let body: MultipartBody

    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let seed = input.word()
        let sizes = (Int(input.byte()) + 1, Int(input.byte()) * 64 + 1)
        try checkBoundary(String(decoding: input.rest.prefix(80), as: UTF8.self))
        let draft = try MultipartDraft(&input, seed: seed)
        defer { draft.removeFiles() }
        try require(
            "\(draft.form)" == "a form of \(draft.form.parts.count) parts"
                && Mirror(reflecting: draft.form).children.count == draft.form.parts.count,
            "wrong description of the form"
        )
        guard let property = try MultipartProperty(draft, seed: seed) else { return }
        try property.checkReading(sizes.0)
        try property.checkReading(sizes.1)
        try property.checkStream(sizes.0)
    }

    /// Creates a property, or returns nil if the form has no body, as is required if it is too
    /// long.
    private init?(_ draft: MultipartDraft, seed: UInt64) throws {
        self.draft = draft
        // These numbers are not always random, so that a boundary can occur in a part.
        var next = seed
        do {
            body = try MultipartBody(draft.form) {
                defer { next &+= 1 }
                return next
            }
        } catch {
            try require(
                draft.isEndless || draft.form.givenBoundary != nil, "a body was rejected: \(error)")
            return nil
        }
        try require(!draft.isEndless, "a body that is too long has a length")
        try require(
            body.contentType == "multipart/form-data; boundary=\(body.boundary)", "wrong type")
        let isUnchanged = (try? body.check()) != nil
        try require(isUnchanged != draft.hasChangedFile, "a file change is reported wrongly")
        let boundary = Array(body.boundary.utf8)
        try require(
            !draft.parts.contains { $0.isSearched && $0.content.contains(boundary) },
            "a part in memory contains the boundary"
        )
    }

    /// Checks that a boundary is accepted if RFC 2046 section 5.1.1 allows it, and rejected
    /// otherwise.
    private static func checkBoundary(_ text: String) throws {
        let marks = Set("'()+_,-./:=? ".utf8)
        let isGood =
            (1...70).contains(text.utf8.count) && text.utf8.last != 0x20
            && text.utf8.allSatisfy { byte in
                let letter = byte | 0x20
                return (0x61...0x7A).contains(letter) && byte > 0x40
                    || (0x30...0x39).contains(byte) || marks.contains(byte)
            }
        var form = MultipartFormData()
        let isTaken = (try? form.setBoundary(text)) != nil
        try require(isTaken == isGood, "a boundary was wrongly accepted or rejected: \(text)")
        let body = try? MultipartBody(MultipartFormData { $0.append(form) })
        try require(!isGood || body?.boundary == text, "wrong boundary instead of \(text)")
    }

    private func checkReading(_ size: Int) throws {
        let reader = MultipartReader(body)
        var bytes: [UInt8] = []
        do {
            while case let piece = try reader.read(upTo: size), !piece.isEmpty {
                try require(piece.count <= size, "\(piece.count) bytes instead of \(size)")
                bytes += piece
            }
        } catch let failure as MultipartFailure {
            try require(
                failure.partNumber == draft.firstFaulty, "the wrong part failed: \(failure)")
            try require(bytes.count < body.length, "a failed body is complete")
            let again = try? reader.read(upTo: size)
            try require(again == nil, "a body continues after its failure")
            return
        }
        try checkWhole(bytes)
    }

    /// Checks that the stream of the request has the same bytes.
    private func checkStream(_ size: Int) throws {
        let stream = MultipartBodyStream(body)
        var bytes: [UInt8] = []
        var place = [UInt8](repeating: 0, count: size)
        try require(
            stream.read(&place, maxLength: size) == -1 && !stream.hasBytesAvailable,
            "a closed stream returns bytes")
        stream.open()
        defer { stream.close() }
        while case let count = stream.read(&place, maxLength: size), count != 0 {
            guard count > 0 else {
                return try require(
                    draft.firstFaulty != nil && stream.streamStatus == .error
                        && stream.streamError is MultipartFailure, "a stream failed")
            }
            bytes += place[..<count]
        }
        try require(stream.streamStatus == .atEnd, "the stream is not at its end")
        try checkWhole(bytes)
    }

    private func checkWhole(_ bytes: [UInt8]) throws {
        try require(draft.firstFaulty == nil, "part \(draft.firstFaulty ?? 0) did not fail")
        try require(bytes.count == body.length, "\(bytes.count) bytes instead of \(body.length)")
        let boundary = Array(body.boundary.utf8)
        // Files and streams are not searched for the boundary, and here the boundary is
        // predictable.
        guard !draft.parts.contains(where: { $0.content.contains(boundary) }) else { return }
        let parts = try MultipartParser.parts(of: bytes, between: boundary)
        try require(
            parts == draft.parts.map { .init(fields: $0.fields, content: $0.content) },
            "wrong parts: \(parts)"
        )
    }
}
