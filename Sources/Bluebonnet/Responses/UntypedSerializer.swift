/// A serializer that can read a body of any content type, whichever types it accepts.
protocol UntypedSerializer: ResponseSerializer {}

extension HTTPResponseSerializer: UntypedSerializer {}
extension StringResponseSerializer: UntypedSerializer {}

extension ResponseSerializer {
    /// Whether the serializer reads a body the same way whatever its content type is.
    var readsAnyType: Bool {
        if let manager = self as? ManagerResponseSerializer { return manager.known.readsAnyType }
        return self is any UntypedSerializer
    }
}
