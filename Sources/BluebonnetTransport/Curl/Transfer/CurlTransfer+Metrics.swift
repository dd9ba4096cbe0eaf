import CBluebonnet
import Foundation

extension CurlTransfer {
    /// Notes what libcurl has measured, while it has the exchange.
    func collectMetrics() {
        guard let handle, handle.hasBegun else { return }
        collect(from: handle, into: &end.metrics)
    }

    private func collect(from handle: EasyHandle, into metrics: inout Exchange.Metrics) {
        metrics.isConnectionReused = handle.number(CURLINFO_NUM_CONNECTS) == 0 && attempts > 0
        if !metrics.isConnectionReused { measureConnecting(handle, &metrics) }
        metrics.requestBodyBytes = bodyBytes(sentOn: handle)
        metrics.requestHeaderBytes =
            lostHeaderBytes + handle.requestHeaderBytes(besideBodyOf: metrics.requestBodyBytes)
        // With a Unix socket libcurl tells the path, and the port of the URL.
        if exchange.pool.route.unixSocketPath == nil {
            metrics.remoteAddress = handle.remoteAddress.of(handle, CURLINFO_PRIMARY_IP)
            metrics.remotePort = handle.number(CURLINFO_PRIMARY_PORT)
            metrics.localAddress = handle.localAddress.of(handle, CURLINFO_LOCAL_IP)
            metrics.localPort = handle.number(CURLINFO_LOCAL_PORT)
        }
        measureSending(handle, &metrics)
    }

    private func measureConnecting(_ handle: EasyHandle, _ metrics: inout Exchange.Metrics) {
        let nameLookup = handle.seconds(CURLINFO_NAMELOOKUP_TIME_T)
        let connect = handle.seconds(CURLINFO_CONNECT_TIME_T)
        let tls = handle.seconds(CURLINFO_APPCONNECT_TIME_T)
        metrics.nameLookupDuration = nameLookup
        metrics.connectDuration = max(0, connect - nameLookup)
        metrics.tlsDuration = max(0, tls - connect)
    }

    private func measureSending(_ handle: EasyHandle, _ metrics: inout Exchange.Metrics) {
        guard attempts > 0, let start = activatedAt else { return }
        let connected = stamps.connected?.seconds(since: start)
        metrics.requestStartDuration = connected
        // libcurl counts from its own start, which is a little later than ours.
        let sent = handle.requestEndSeconds.map { max($0, connected ?? 0) }
        metrics.requestEndDuration = sent ?? (exchange.body == nil ? connected : nil)
        guard let security else { return }
        metrics.tlsVersion = security.version
        metrics.tlsCipherSuite = security.cipherSuite
    }

    /// Counts what was sent of a request that is going to be sent again.
    func noteLostAttempt() {
        guard let handle else { return }
        lostHeaderBytes += handle.requestHeaderBytes(besideBodyOf: bodyBytes(sentOn: handle))
    }

    private func bodyBytes(sentOn handle: EasyHandle) -> Int64 {
        exchange.body == nil ? 0 : handle.offset(CURLINFO_SIZE_UPLOAD_T)
    }

    /// Adds what was measured here, at the exchange's end.
    func measure() {
        complete(&end.metrics)
    }

    private func complete(_ metrics: inout Exchange.Metrics) {
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
    }
}

extension EasyHandle {
    fileprivate func requestHeaderBytes(besideBodyOf body: Int64) -> Int64 {
        let all = Int64(number(CURLINFO_REQUEST_SIZE))
        let isBodyIncluded =
            LibcurlQuirks.current.countsBodyInRequestSize || (isBodyCopied && body < 65_536)
        return isBodyIncluded ? max(0, all - body) : all
    }

    fileprivate func seconds(_ info: CURLINFO) -> TimeInterval {
        TimeInterval(offset(info)) / 1_000_000
    }

    /// Seconds until the request was sent whole; nil where libcurl cannot tell.
    fileprivate var requestEndSeconds: TimeInterval? {
        guard LibcurlQuirks.current.measuresEndOfRequest else { return nil }
        let microseconds = offset(Self.postTransferTime)
        return microseconds > 0 ? TimeInterval(microseconds) / 1_000_000 : nil
    }

    /// `CURLINFO_POSTTRANSFER_TIME_T` of libcurl 8.10, which older ones do not know.
    private static let postTransferTime = CURLINFO(rawValue: UInt32(CURLINFO_OFF_T) + 67)
}
