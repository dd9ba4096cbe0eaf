/// A serializer that reads a body of any content type, whichever types it accepts.
protocol UntypedSerializer: ResponseSerializer {}

extension HTTPResponseSerializer: UntypedSerializer {}
extension StringResponseSerializer: UntypedSerializer {}

extension ResponseSerializer {
    /// Whether what it makes of a body does not depend on the body's type.
    var readsAnyType: Bool {
        if let manager = self as? ManagerResponseSerializer { return manager.known.readsAnyType }
        return self is any UntypedSerializer
    }
}
