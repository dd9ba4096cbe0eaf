public import Foundation

extension ResponseSerializer {
    /// Whether there is nothing to serialize: no bytes, or a response that HTTP gives no body.
    ///
    /// Those are answers to HEAD and the statuses 204, 205 and 304. Every serializer of the library
    /// asks this first, and gives what stands for nothing among its values: nil, empty data, an
    /// empty string. One without such a value throws ``ResponseSerializationError/emptyBody``.
    public func isEmptyBody(_ data: Data, head: ResponseHead?) -> Bool {
        data.isEmpty || head?.cannotHaveBody == true
    }
}
