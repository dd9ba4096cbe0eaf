import Bluebonnet

/// A serializer that returns the file of a download, or nil if there is none.
struct OptionalURLSerializer: ResponseSerializer {
    var acceptableStatusCodes: Set<Int>?
    var acceptableContentTypes: Set<String>?

    func serialize(_ data: Data, head: ResponseHead?) throws -> URL? { nil }
    func serialize(file: URL, head: ResponseHead?) throws -> URL? { file }
    func isCheap(byteCount: Int) -> Bool { true }
}
