import CBluebonnet
import Foundation

extension CurlTransfer {
    func collectMetrics() {
        guard let handle, handle.hasBegun else { return }
        func seconds(_ info: CURLINFO) -> TimeInterval { Double(handle.offset(info)) / 1_000_000 }
        let nameLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
        let connect = seconds(CURLINFO_CONNECT_TIME_T)
        let tls = seconds(CURLINFO_APPCONNECT_TIME_T)
        libcurlMetrics.isConnectionReused =
            handle.number(CURLINFO_NUM_CONNECTS) == 0 && attempts > 0
        if !libcurlMetrics.isConnectionReused {
            libcurlMetrics.nameLookupDuration = nameLookup
            libcurlMetrics.connectDuration = max(0, connect - nameLookup)
            libcurlMetrics.tlsDuration = max(0, tls - connect)
        }
        libcurlMetrics.remoteAddress = handle.text(CURLINFO_PRIMARY_IP)
        libcurlMetrics.remotePort = handle.number(CURLINFO_PRIMARY_PORT)
        libcurlMetrics.requestBodyBytes =
            exchange.body == nil ? 0 : handle.offset(CURLINFO_SIZE_UPLOAD_T)
        collectMoreMetrics(of: handle, into: &libcurlMetrics)
    }

    private func collectMoreMetrics(of handle: EasyHandle, into metrics: inout Exchange.Metrics) {
        if exchange.pool.route.unixSocketPath == nil {
            metrics.localAddress = handle.text(CURLINFO_LOCAL_IP)
            metrics.localPort = handle.number(CURLINFO_LOCAL_PORT)
        } else {
            // libcurl tells the path, and the port of the URL.
            metrics.remoteAddress = ""
            metrics.remotePort = 0
        }
        metrics.requestHeaderBytes = lostHeaderBytes + handle.requestHeaderBytes
        guard attempts > 0, let start = activatedAt else { return }
        let connected = stamps.connected?.seconds(since: start)
        metrics.requestStartDuration = connected
        // libcurl counts from its own start, which is a little later than ours.
        let sent = handle.requestEndSeconds.map { max($0, connected ?? 0) }
        metrics.requestEndDuration = sent ?? (exchange.body == nil ? connected : nil)
        metrics.tlsVersion = security?.version ?? ""
        metrics.tlsCipherSuite = security?.cipherSuite ?? ""
    }

    /// Counts what was sent of a request that is going to be sent again.
    func noteLostAttempt() {
        lostHeaderBytes += handle?.requestHeaderBytes ?? 0
    }

    func metrics() -> Exchange.Metrics {
        var metrics = libcurlMetrics
        let now = MonotonicInstant.now
        let start = activatedAt ?? now
        metrics.startDate = startDate
        metrics.queueDuration = start.seconds(since: startedAt)
        metrics.firstByteDuration = stamps.firstByte?.seconds(since: start)
        metrics.headDuration = headAt?.seconds(since: start)
        metrics.totalDuration = now.seconds(since: startedAt)
        metrics.protocolVersion = parser.protocolVersion
        metrics.responseHeaderBytes = Int64(parser.receivedSize)
        metrics.responseBodyBytes = wireBytes
        metrics.decodedBodyBytes = Int64(body?.decodedCount ?? 0)
        return metrics
    }
}

extension EasyHandle {
    fileprivate var requestHeaderBytes: Int64 {
        let all = Int64(number(CURLINFO_REQUEST_SIZE))
        let body = offset(CURLINFO_SIZE_UPLOAD_T)
        // Before 8.7 only a body that left with the head in one piece is in that number.
        let isBodyIncluded =
            LibcurlVersion.isRunning(atLeast: 0x080700) || (isBodyCopied && body < 65_536)
        return isBodyIncluded ? max(0, all - body) : all
    }

    /// Seconds until the request was sent whole; nil where libcurl cannot tell.
    fileprivate var requestEndSeconds: TimeInterval? {
        let microseconds = offset(Self.postTransferTime)
        return microseconds > 0 ? TimeInterval(microseconds) / 1_000_000 : nil
    }

    /// `CURLINFO_POSTTRANSFER_TIME_T` of libcurl 8.10, which older ones do not know.
    private static let postTransferTime = CURLINFO(rawValue: UInt32(CURLINFO_OFF_T) + 67)
}
