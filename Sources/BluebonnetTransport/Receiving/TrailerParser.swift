/// A parser that collects the trailer fields of a response, up to a number of lines.
// A class, created with the first line, because hardly any response has a trailer.
final class TrailerParser {
    /// The fields in the order in which they arrived.
    private(set) var fields: [Exchange.Field] = []
    private var lineCount = 0
    private let maximumCount: Int

    init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    /// Takes one nonempty line, without its line end.
    ///
    /// Throws if the line is not a field, or if there are more lines than the limit.
    func take(_ line: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        lineCount += 1
        guard lineCount <= maximumCount else { throw .tooManyTrailerFields(maximumCount) }
        do throws(Exchange.Failure) {
            if line.first?.isFieldWhiteSpace == true { try unfold(line) } else { try keep(line) }
        } catch {
            var failure = error
            failure.malformedPart = .trailer
            failure.message += ", in the trailer"
            throw failure
        }
    }

    private func keep(_ line: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        let nameLength = try line.fieldNameLength()
        let value = try line.fieldValueRange(from: nameLength + 1)
        fields.append(
            Exchange.Field(
                name: String(fieldBytes: UnsafeRawBufferPointer(rebasing: line[..<nameLength])),
                value: String(fieldBytes: UnsafeRawBufferPointer(rebasing: line[value]))
            ))
    }

    /// Appends a line that begins with whitespace to the previous field (RFC 9112 section 5.2).
    private func unfold(_ line: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        guard var field = fields.popLast() else { throw .foldedFirstField }
        let range = try line.fieldValueRange(from: 0)
        let part = String(fieldBytes: UnsafeRawBufferPointer(rebasing: line[range]))
        if !field.value.isEmpty, !part.isEmpty { field.value += " " }
        field.value += part
        fields.append(field)
    }
}
