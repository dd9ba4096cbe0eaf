public import Foundation

extension BluebonnetError {
    /// Decodes the server's description of the failure from the JSON of the response's body.
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
    /// The content type is ignored, since many servers send problem details (RFC 9457) with another
    /// one.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder; default `JSONDecoder()`.
    /// - Returns: The value; nil if there is no body, or if it is not JSON that the type can
    ///   decode.
    public func decoded<T: Decodable & Sendable>(
        as type: T.Type = T.self, by decoder: JSONDecoder = JSONDecoder()
    ) -> T? {
        guard let data = context.data, !data.isEmpty else { return nil }
        return try? DecodableResponseSerializer(type, decoder: decoder)
            .serialize(data, head: context.head)
    }
}
