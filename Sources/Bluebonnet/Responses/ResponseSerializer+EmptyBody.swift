public import Foundation

extension ResponseSerializer {
    /// Whether there is nothing to serialize: no bytes, or a response that has no body by
    /// definition.
    ///
    /// Such responses are those to HEAD and those with the status codes 204, 205 and 304. Every
    /// serializer of the library checks this first and returns its empty value: nil, empty data or
    /// an empty string. A serializer without such a value throws
    /// ``ResponseSerializationError/emptyBody``.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - head: The head; nil if no response was received.
    /// - Returns: True if the serializer should return its empty value.
    public func isEmptyBody(_ data: Data, head: ResponseHead?) -> Bool {
        data.isEmpty || head?.cannotHaveBody == true
    }
}
