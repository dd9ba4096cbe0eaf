import Foundation

extension ResponseSerializer {
    /// Whether there is nothing to serialize: no bytes, or a response that HTTP gives no body.
    func isEmptyBody(_ data: Data, head: ResponseHead?) -> Bool {
        data.isEmpty || head?.cannotHaveBody == true
    }
}

extension ResponseSerializationError {
    static let emptyBody = ResponseSerializationError(reason: "the body is empty")
}
