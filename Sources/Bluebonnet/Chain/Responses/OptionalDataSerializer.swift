import Foundation

/// Gives the body as it is, and nil for none.
struct OptionalDataSerializer: ResponseSerializer {
    var acceptableStatusCodes: Set<Int>?
    var acceptableContentTypes: Set<String>?

    func serialize(_ data: Data, head: ResponseHead?) throws -> Data? {
        isEmptyBody(data, head: head) ? nil : data
    }

    func isCheap(byteCount: Int) -> Bool { true }
}
