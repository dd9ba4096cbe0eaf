public import Foundation

extension RequestBody {
    /// A body of records from an asynchronous sequence, sent as by ``sequence(_:length:)``.
    ///
    /// - Parameters:
    ///   - records: The records. One that the framing would read as several ones fails the task.
    ///   - framing: How each record is written.
    /// - Returns: The body.
    public static func records<Records: AsyncSequence & Sendable>(
        _ records: Records, framing: StreamFraming
    ) -> Self where Records.Element == Data {
        sequence(records.map { try framing.written($0) })
    }

    /// A body of values from an asynchronous sequence, each a line of JSON, sent as by
    /// ``sequence(_:length:)``.
    ///
    /// ```swift
    /// try await api.upload(
    ///     .jsonLines(entries), to: "log", headers: ["Content-Type": "application/x-ndjson"])
    /// ```
    ///
    /// - Parameters:
    ///   - values: The values. One that cannot be encoded fails the task.
    ///   - encoder: Encodes each value. The default is `JSONEncoder()`.
    /// - Returns: The body.
    public static func jsonLines<Values: AsyncSequence & Sendable>(
        _ values: Values, encoder: JSONEncoder = JSONEncoder()
    ) -> Self where Values.Element: Encodable & Sendable {
        sequence(values.map { try StreamFraming.jsonLines.written(encoder.encode($0)) })
    }
}
