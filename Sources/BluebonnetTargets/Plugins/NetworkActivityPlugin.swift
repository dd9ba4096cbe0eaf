import BluebonnetChain

/// A change of a call that ``NetworkActivityPlugin`` reports.
public enum NetworkActivityChangeType: Sendable, Hashable {
    /// The first request of the call is being sent.
    case began
    /// The call has ended.
    case ended
}

/// A plugin that reports when calls begin and end.
///
/// There is one `ended` for each `began`, even if the call is retried or canceled. It does not
/// report a call that fails before anything is sent, or that shares the exchange of another call.
public struct NetworkActivityPlugin: PluginType {
    /// A closure that receives a change.
    public typealias NetworkActivityClosure =
        @Sendable (
            _ change: NetworkActivityChangeType, _ target: any TargetType
        ) -> Void

    private let tell: NetworkActivityClosure

    /// Creates a plugin.
    ///
    /// - Parameter networkActivityClosure: Receives each change.
    public init(networkActivityClosure: @escaping NetworkActivityClosure) {
        tell = networkActivityClosure
    }
}

extension NetworkActivityPlugin: CallObserver {
    func callDidBegin(_ target: any TargetType) { tell(.began, target) }

    func callDidEnd(_ target: any TargetType) { tell(.ended, target) }
}
