import Foundation

/// Where a record is in its stream.
package struct RecordPlace: Sendable, Hashable, CustomStringConvertible {
    /// The number of the record, from 1.
    package let number: Int
    /// The position of its first byte in the body, from 0.
    package let start: Int

    package var description: String { "record \(number), at byte \(start)" }

    /// Returns the error of the record.
    func error(_ reason: String) -> ResponseSerializationError {
        ResponseSerializationError(reason: "\(self): \(reason)")
    }
}

/// A record and where it was.
package struct Framed<Record: Sendable>: Sendable {
    package let record: Record
    package let place: RecordPlace

    init(_ record: Record, _ place: RecordPlace) { (self.record, self.place) = (record, place) }
}

extension ResponseSerializationError {
    static func tooLong(_ place: RecordPlace, _ limit: Int) -> ResponseSerializationError {
        place.error("it is longer than \(limit) bytes; increase the maximum length")
    }
}
