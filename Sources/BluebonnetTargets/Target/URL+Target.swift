public import BluebonnetChain

extension URL {
    /// Creates the URL of a target from its base URL and path.
    ///
    /// A call with a ``TargetType/path`` that cannot be sent fails. For such a path, this is the
    /// base URL with the escaped path appended.
    ///
    /// - Parameter target: The target.
    public init<Target: TargetType>(target: Target) {
        let (base, path) = (target.baseURL, target.path)
        do {
            self = try URL(endpointPath: path, below: base)
        } catch {
            self = base.appendingPathComponent(path)
        }
    }
}
