import Foundation

/// Serializes the response of a typed request, of any content type.
struct EndpointSerializer<Value: Sendable>: ResponseSerializer {
    var acceptableStatusCodes: Set<Int>?
    var acceptableContentTypes: Set<String>?
    private let base: any ResponseSerializer<Value>

    init<R: APIRequest>(of request: R, _ defaults: SerializerDefaults) where R.Response == Value {
        acceptableStatusCodes = request.acceptableStatusCodes
        base = defaults.bound(typed: request.serializer)
    }

    func serialize(_ data: Data, head: ResponseHead?) throws -> Value {
        try base.serialize(data, head: head)
    }

    func serialize(file: URL, head: ResponseHead?) throws -> Value {
        try base.serialize(file: file, head: head)
    }

    func isCheap(byteCount: Int) -> Bool { base.isCheap(byteCount: byteCount) }

    var maximumBodySize: Int? { base.maximumBodySize }
}

extension SerializerDefaults {
    /// Returns the serializer with its unset options filled in, for a serializer of unknown type.
    fileprivate func bound<Value>(
        typed serializer: any ResponseSerializer<Value>
    ) -> any ResponseSerializer<Value> {
        func open(_ serializer: some ResponseSerializer<Value>) -> any ResponseSerializer<Value> {
            bound(serializer)
        }
        return open(serializer)
    }
}
