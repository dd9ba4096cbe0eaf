/// Metrics in the format of OpenMetrics 1.0.
struct OpenMetricsText {
    private(set) var text = ""

    init(_ table: MetricsTable, runningCount: Int, _ gauges: MetricsGauges? = nil) {
        // In a fixed order, so that two readings can be compared.
        let series = table.series.map { (labels: Self.labels(of: $0.key), values: $0.value) }
            .sorted { $0.labels < $1.labels }
        begin(
            "http_client_request_duration_seconds", "histogram", unit: "seconds",
            "The time of attempts, from the start of the first exchange to the end of the last.")
        for (labels, values) in series {
            add("http_client_request_duration_seconds", labels, values.duration, table.buckets)
        }
        begin(
            "http_client_time_to_first_byte_seconds", "histogram", unit: "seconds",
            "The time from the start of the last exchange to the first byte of its response.")
        for (labels, values) in series {
            add(
                "http_client_time_to_first_byte_seconds", labels, values.timeToFirstByte,
                table.buckets)
        }
        let counters: [(String, String, String, (MetricsTable.Values) -> Int64)] = [
            ("http_client_attempts", "", "Attempts.", { Int64($0.attemptCount) }),
            (
                "http_client_request_body_bytes", "bytes", "Bytes sent of bodies.",
                { $0.requestBytes }
            ),
            (
                "http_client_response_body_bytes", "bytes",
                "Bytes received of bodies, before decoding.", { $0.responseBytes }
            ),
        ]
        for (name, unit, help, value) in counters {
            begin(name, "counter", unit: unit, help)
            for (labels, values) in series { add("\(name)_total", labels, "\(value(values))") }
        }
        begin("http_client_tasks", "counter", "Tasks that have ended.")
        let outcomes = table.outcomes
        for (outcome, count) in [
            ("success", outcomes.successCount), ("failure", outcomes.failureCount),
            ("cancelled", outcomes.cancelCount),
        ] {
            add("http_client_tasks_total", "outcome=\"\(outcome)\"", "\(count)")
        }
        begin("http_client_retries", "counter", "Attempts after the first of a task.")
        add("http_client_retries_total", "", "\(table.retryCount)")
        begin("http_client_active_requests", "gauge", "Tasks that have started and not ended.")
        add("http_client_active_requests", "", "\(runningCount)")
        if let gauges { add(gauges) }
        text += "# EOF\n"
    }

    private mutating func add(_ gauges: MetricsGauges) {
        let connections = gauges.connections
            .map { (labels: Self.labels(of: $0.key), values: $0.value) }
            .sorted { $0.labels < $1.labels }
        begin("http_client_open_connections", "gauge", "Connections, in use or kept for later.")
        for (labels, values) in connections {
            for (state, count) in [("active", values.active), ("idle", values.idle)] {
                add(
                    "http_client_open_connections",
                    "http_connection_state=\"\(state)\",\(labels)", "\(count)")
            }
        }
        begin("http_client_waiting_requests", "gauge", "Requests that wait for a connection.")
        for (labels, values) in connections {
            add("http_client_waiting_requests", labels, "\(values.waiting)")
        }
        let retries = gauges.retries
            .map { (labels: Self.labels(of: $0.key), values: $0.value) }
            .sorted { $0.labels < $1.labels }
        begin(
            "http_client_retry_budget_available", "gauge",
            "Retries that the retry budget would pay for now.")
        for (labels, values) in retries {
            add("http_client_retry_budget_available", labels, "\(values.available)")
        }
        begin(
            "http_client_retry_budget_refusals", "gauge",
            "Retries that the retry budget has refused, as far as it remembers.")
        for (labels, values) in retries {
            add("http_client_retry_budget_refusals", labels, "\(values.refusalCount)")
        }
    }

    private mutating func begin(_ name: String, _ type: String, unit: String = "", _ help: String) {
        text += "# TYPE \(name) \(type)\n"
        if !unit.isEmpty { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(help)\n"
    }

    private mutating func add(_ name: String, _ labels: String, _ value: String) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    private mutating func add(
        _ name: String, _ labels: String, _ histogram: MetricsTable.Histogram, _ buckets: [Double]
    ) {
        var count = 0
        for (bound, number) in zip(buckets.map { "\($0)" } + ["+Inf"], histogram.counts) {
            count += number
            add("\(name)_bucket", "\(labels),le=\"\(bound)\"", "\(count)")
        }
        add("\(name)_count", labels, "\(count)")
        add("\(name)_sum", labels, "\(histogram.sum)")
    }

    private static func labels(of series: AttemptSeries) -> String {
        var labels = "http_request_method=\(series.method.asLabelValue)"
        labels += ",server_address=\(series.host.asLabelValue),server_port=\"\(series.port)\""
        if series.status > 0 { labels += ",http_response_status_code=\"\(series.status)\"" }
        if !series.error.isEmpty { labels += ",error_type=\(series.error.asLabelValue)" }
        if !series.tag.isEmpty { labels += ",tag=\(series.tag.asLabelValue)" }
        return labels
    }

    private static func labels(of server: MetricsGauges.Server) -> String {
        "server_address=\(server.host.asLabelValue),server_port=\"\(server.port)\""
    }
}

extension String {
    /// The text between quotes, with the three escapes of the format.
    fileprivate var asLabelValue: String {
        var value = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\": value += "\\\\"
            case "\"": value += "\\\""
            case "\n": value += "\\n"
            default: value.unicodeScalars.append(scalar)
            }
        }
        return value + "\""
    }
}
