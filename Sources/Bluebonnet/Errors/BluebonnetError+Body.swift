public import Foundation

extension BluebonnetError {
    /// What the server says of the failure, decoded from the JSON of the response's body.
    ///
    /// ```swift
    /// do {
    ///     try await api.post("orders", parameters: order)
    /// } catch {
    ///     guard let problem = error.decoded(as: Problem.self) else { throw error }
    ///     print(problem.title)
    /// }
    /// ```
    ///
    /// The content type is not looked at: many servers send problem details (RFC 9457) as another one.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder; default `JSONDecoder()`.
    /// - Returns: The value; nil without a body, and for one that is no JSON of the type.
    public func decoded<T: Decodable & Sendable>(
        as type: T.Type = T.self, by decoder: JSONDecoder = JSONDecoder()
    ) -> T? {
        guard let data = context.data, !data.isEmpty else { return nil }
        return try? DecodableResponseSerializer(type, decoder: decoder)
            .serialize(data, head: context.head)
    }
}
