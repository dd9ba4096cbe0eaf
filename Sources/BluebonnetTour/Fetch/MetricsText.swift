import Bluebonnet

/// Formats the metrics of a task, with a few lines for each exchange.
enum MetricsText {
    static func lines(of metrics: TaskMetrics) -> [String] {
        let total = milliseconds(metrics.taskInterval.duration)
        let count = metrics.exchanges.count
        return metrics.exchanges.flatMap(lines(of:))
            + (count > 1 ? ["\(count) exchanges took \(total) in all"] : [])
    }

    private static func lines(of metrics: Exchange.Metrics) -> [String] {
        [connection(metrics), times(metrics), sizes(metrics)].compactMap(\.self)
    }

    /// Nil without a connection.
    private static func connection(_ metrics: Exchange.Metrics) -> String? {
        guard !metrics.remoteAddress.isEmpty else { return nil }
        let parts = [
            metrics.isConnectionReused ? "connection kept open" : "new connection",
            "from \(address(metrics.localAddress, metrics.localPort))",
            "to \(address(metrics.remoteAddress, metrics.remotePort))",
        ]
        let protocols = [metrics.protocolVersion, metrics.tlsVersion, metrics.tlsCipherSuite]
        return ([parts.joined(separator: " ")] + protocols.filter { !$0.isEmpty })
            .joined(separator: ", ")
    }

    private static func address(_ address: String, _ port: Int) -> String {
        address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    private static func times(_ metrics: Exchange.Metrics) -> String {
        var parts: [String] = []
        func add(_ name: String, _ seconds: TimeInterval?) {
            if let seconds, seconds > 0 { parts.append("\(name) \(milliseconds(seconds))") }
        }
        add("look-up", metrics.nameLookupDuration)
        add("connect", metrics.connectDuration)
        add("TLS", metrics.tlsDuration)
        add("sent at", metrics.requestEndDuration)
        add("first byte at", metrics.firstByteDuration)
        parts.append("end at \(milliseconds(metrics.totalDuration))")
        return parts.joined(separator: ", ")
    }

    private static func sizes(_ metrics: Exchange.Metrics) -> String {
        let decoded =
            metrics.decodedBodyBytes == metrics.responseBodyBytes
            ? "" : " (\(ByteCountText.text(metrics.decodedBodyBytes)) decoded)"
        return """
            sent \(ByteCountText.text(metrics.requestHeaderBytes)) of head and \
            \(ByteCountText.text(metrics.requestBodyBytes)) of body, received \
            \(ByteCountText.text(metrics.responseHeaderBytes)) and \
            \(ByteCountText.text(metrics.responseBodyBytes))\(decoded)
            """
    }

    private static func milliseconds(_ seconds: TimeInterval) -> String {
        String(format: "%.1f ms", seconds * 1000)
    }
}
