import Bluebonnet

/// A serializer that returns JSON as plain values, and null for an empty body if one is allowed.
struct JSONObjectSerializer: ResponseSerializer {
    var acceptableStatusCodes: Set<Int>?
    var acceptableContentTypes: Set<String>?
    let json: JSONResponseSerializer
    let options: BodyOptions?

    func serialize(_ data: Data, head: ResponseHead?) throws -> any Sendable {
        guard !isEmptyBody(data, head: head) else {
            guard options.allowsEmptyBody(head) else { throw ResponseSerializationError.emptyBody }
            return NSNull()
        }
        return try json.serialize(try options.preprocessed(data), head: head) ?? NSNull()
    }

    func isCheap(byteCount: Int) -> Bool { options == nil && json.isCheap(byteCount: byteCount) }

    var maximumBodySize: Int? { json.maximumBodySize }
}
