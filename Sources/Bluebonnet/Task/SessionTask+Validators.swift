extension SessionTask {
    /// Adds a validator after the task's other validators.
    ///
    /// Call it before ``resume()``: after that, the response can already have been judged.
    ///
    /// - Parameter validator: Judges the head, the body or the file.
    public func addValidator(_ validator: ResponseValidator) {
        var bound = validator
        if case .serializer(let serializer) = validator.judgement {
            bound.judgement = .serializer(delegate.setup.defaults.bound(any: serializer))
        }
        delegate.state.withLock { [bound] in $0.rare.validators.append(bound) }
    }
}
