import Bluebonnet

/// A serializer that returns the bytes of a body, or nil if it is empty.
struct OptionalDataSerializer: ResponseSerializer {
    var acceptableStatusCodes: Set<Int>?
    var acceptableContentTypes: Set<String>?

    func serialize(_ data: Data, head: ResponseHead?) throws -> Data? {
        isEmptyBody(data, head: head) ? nil : data
    }

    func isCheap(byteCount: Int) -> Bool { true }
}
