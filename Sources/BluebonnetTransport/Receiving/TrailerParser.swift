/// Keeps the trailer fields of a response, up to a number of lines.
// A class of its own, made for the first line: hardly any response has a trailer.
final class TrailerParser {
    /// The fields in the order in which they arrived.
    private(set) var fields: [Exchange.Field] = []
    /// Whether the last line was a field, so that the next may continue it.
    private var isInField = false
    private var lineCount = 0
    private let maximumCount: Int

    init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    /// Takes one line, which is not empty, without its line end.
    ///
    /// A line that is no field is left out, and counts all the same. It is no failure, since a
    /// recipient may ignore the whole trailer (RFC 9110 section 6.5).
    func take(_ line: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        lineCount += 1
        guard lineCount <= maximumCount else { throw .tooManyTrailerFields(maximumCount) }
        if line.first?.isFieldWhiteSpace == true { unfold(line) } else { keep(line) }
    }

    private func keep(_ line: UnsafeRawBufferPointer) {
        do throws(Exchange.Failure) {
            let nameLength = try line.fieldNameLength()
            let value = try line.fieldValueRange(from: nameLength + 1)
            fields.append(
                Exchange.Field(
                    name: String(fieldBytes: UnsafeRawBufferPointer(rebasing: line[..<nameLength])),
                    value: String(fieldBytes: UnsafeRawBufferPointer(rebasing: line[value]))
                ))
            isInField = true
        } catch {
            isInField = false
        }
    }

    /// A line that begins with white space continues the field before it (RFC 9112 section 5.2).
    private func unfold(_ line: UnsafeRawBufferPointer) {
        guard isInField, var field = fields.popLast() else { return }
        do throws(Exchange.Failure) {
            let range = try line.fieldValueRange(from: 0)
            let part = String(fieldBytes: UnsafeRawBufferPointer(rebasing: line[range]))
            if !field.value.isEmpty, !part.isEmpty { field.value += " " }
            field.value += part
            fields.append(field)
        } catch {
            // Half a value might be taken for the whole.
            isInField = false
        }
    }
}
