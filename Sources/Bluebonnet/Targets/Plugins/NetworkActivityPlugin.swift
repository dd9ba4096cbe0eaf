/// What happened to a call, for ``NetworkActivityPlugin``.
public enum NetworkActivityChangeType: Sendable, Hashable {
    /// Its first request is being sent.
    case began
    /// It has ended.
    case ended
}

/// Hears when calls begin and end: for each `began` there is one `ended`, whatever is retried or cancelled.
///
/// A call that fails before anything is sent, or that shares the exchange of another, is not told of.
public struct NetworkActivityPlugin: PluginType {
    /// Hears of a change.
    public typealias NetworkActivityClosure =
        @Sendable (
            _ change: NetworkActivityChangeType, _ target: any TargetType
        ) -> Void

    private let tell: NetworkActivityClosure

    /// Makes a plugin.
    ///
    /// - Parameter networkActivityClosure: Hears of each change.
    public init(networkActivityClosure: @escaping NetworkActivityClosure) {
        tell = networkActivityClosure
    }
}

extension NetworkActivityPlugin: CallObserver {
    func callDidBegin(_ target: any TargetType) { tell(.began, target) }

    func callDidEnd(_ target: any TargetType) { tell(.ended, target) }
}
