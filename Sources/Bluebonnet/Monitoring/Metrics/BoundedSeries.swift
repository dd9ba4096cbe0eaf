/// What tells the series of a metric apart.
public struct AttemptSeries: Sendable, Hashable {
    /// The method, `_OTHER`, or `other` beyond the limit of series.
    public let method: String
    /// The host, or `other` beyond a limit.
    public internal(set) var host: String
    /// The port, or 0 with the host `other`.
    public internal(set) var port: Int
    /// The status code, or 0 without one.
    public let status: Int
    /// The kind of error, empty for success, or `other` beyond the limit of series.
    public let error: String
    /// The tag, empty without one, or `other` beyond the limit of tags.
    public internal(set) var tag: String
}

/// The series of attempts, of which there are no more than limits allow, whatever servers and callers
/// do.
///
/// A monitor for another system of metrics keeps its handlers by these series.
public struct BoundedSeries: Sendable {
    let limits: MetricsMonitor.Limits
    private(set) var hosts: Set<String> = []
    private var tags: Set<String> = []
    private var known: Set<AttemptSeries> = []

    /// Creates no series.
    public init(limits: MetricsMonitor.Limits) { self.limits = limits }

    /// Returns the series to which an attempt belongs.
    public mutating func series(for attributes: AttemptAttributes) -> AttemptSeries {
        let wanted = AttemptSeries(
            method: attributes.method, host: attributes.host, port: attributes.port,
            status: attributes.statusCode ?? 0, error: attributes.errorType ?? "",
            tag: Self.shortened(attributes.tag ?? ""))
        if known.contains(wanted) { return wanted }
        var series = wanted
        if !hosts.contains(wanted.host) {
            if hosts.count < limits.hosts, wanted.host.utf8.count <= Self.maximumHostLength {
                hosts.insert(wanted.host)
            } else {
                (series.host, series.port) = (Self.other, 0)
            }
        }
        if !wanted.tag.isEmpty, !tags.contains(wanted.tag) {
            if tags.count < limits.tags {
                tags.insert(wanted.tag)
            } else {
                series.tag = Self.other
            }
        }
        guard known.count < limits.series || known.contains(series) else {
            return AttemptSeries(
                method: Self.other, host: Self.other, port: 0, status: 0, error: Self.other,
                tag: "")
        }
        known.insert(series)
        return series
    }

    /// What stands for what is beyond the limits.
    static let other = "other"
    /// The longest tag that is kept, in bytes.
    private static let maximumTagLength = 100
    /// The longest host that DNS allows, in bytes.
    private static let maximumHostLength = 253

    private static func shortened(_ tag: String) -> String {
        guard tag.utf8.count > maximumTagLength else { return tag }
        return String(decoding: tag.utf8.prefix(maximumTagLength), as: UTF8.self)
    }
}
