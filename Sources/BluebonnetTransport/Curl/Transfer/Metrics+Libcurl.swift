import CBluebonnet
import Foundation

// Measurements by libcurl, which are read while it still has the exchange.
extension Exchange.Metrics {
    /// Collects libcurl's measurements of an exchange that it still has.
    mutating func collect(
        from handle: EasyHandle, for exchange: Exchange, request: RequestSender,
        connection: TransferConnection, times: TransferTimes
    ) {
        let hasBody = exchange.body != nil
        isConnectionReused =
            handle.number(CURLINFO_NUM_CONNECTS) == 0 && request.attemptCount > 0
        if !isConnectionReused { collectConnecting(handle, connection) }
        requestBodyBytes = handle.bodyBytes(hasBody: hasBody)
        requestHeaderBytes =
            handle.requestHeaderBytes(besideBodyOf: requestBodyBytes)
            + connection.formerRequestHeaderBytes
        resendCount = max(0, request.attemptCount - 1)
        // With a Unix socket, libcurl reports the path and the port of the URL.
        if exchange.pool.route.unixSocketPath == nil {
            remoteAddress = handle.remoteAddress.of(handle, CURLINFO_PRIMARY_IP)
            remotePort = handle.number(CURLINFO_PRIMARY_PORT)
            localAddress = handle.localAddress.of(handle, CURLINFO_LOCAL_IP)
            localPort = handle.number(CURLINFO_LOCAL_PORT)
        }
        guard request.attemptCount > 0 else { return }
        collectSending(handle, times, hasBody: hasBody)
        guard let security = connection.security else { return }
        tlsVersion = security.version
        tlsCipherSuite = security.cipherSuite
    }

    private mutating func collectConnecting(
        _ handle: EasyHandle, _ connection: TransferConnection
    ) {
        let nameLookup = handle.seconds(CURLINFO_NAMELOOKUP_TIME_T)
        let connect = handle.seconds(CURLINFO_CONNECT_TIME_T)
        let tls = handle.seconds(CURLINFO_APPCONNECT_TIME_T)
        nameLookupDuration = connection.nameLookupDuration
        // libcurl got a connected socket, unless it is a Unix socket.
        connectDuration = connection.connectDuration + max(0, connect - nameLookup)
        tlsDuration = max(0, tls - connect)
    }

    private mutating func collectSending(
        _ handle: EasyHandle, _ times: TransferTimes, hasBody: Bool
    ) {
        guard let start = times.activated else { return }
        let connected = times.connected?.seconds(since: start)
        requestStartDuration = connected
        // libcurl measures from its own start, which is slightly later than ours.
        let sent = handle.requestEndSeconds.map { max($0, connected ?? 0) }
        requestEndDuration = sent ?? (hasBody ? nil : connected)
    }

    /// Adds the transport's own measurements at the end of the exchange.
    mutating func complete(with times: TransferTimes, _ response: borrowing ResponseReceiver) {
        let now = MonotonicInstant.now
        let slot = times.activated ?? now
        startDate = times.startDate
        queueDuration = slot.seconds(since: times.start)
        firstByteDuration = times.firstByte?.seconds(since: slot)
        headDuration = times.headCompleted?.seconds(since: slot)
        totalDuration = now.seconds(since: times.start)
        protocolVersion = response.protocolVersion
        responseHeaderBytes = Int64(response.headerBytes)
        responseBodyBytes = response.wireBytes
        decodedBodyBytes = Int64(response.body?.decodedCount ?? 0)
    }
}

extension EasyHandle {
    /// Returns the number of bytes of the request's body that were sent.
    func bodyBytes(hasBody: Bool) -> Int64 {
        hasBody ? offset(CURLINFO_SIZE_UPLOAD_T) : 0
    }

    /// Returns the number of bytes of the request's head that were sent.
    func requestHeaderBytes(besideBodyOf body: Int64) -> Int64 {
        let all = Int64(number(CURLINFO_REQUEST_SIZE))
        let isBodyIncluded =
            LibcurlQuirks.current.countsBodyInRequestSize || (isBodyCopied && body < 65_536)
        return isBodyIncluded ? max(0, all - body) : all
    }

    /// Returns one of libcurl's times, in seconds since it started the exchange.
    func seconds(_ info: CURLINFO) -> TimeInterval {
        TimeInterval(offset(info)) / 1_000_000
    }

    /// The seconds until the whole request was sent, or nil if libcurl does not measure this.
    fileprivate var requestEndSeconds: TimeInterval? {
        guard LibcurlQuirks.current.measuresEndOfRequest else { return nil }
        let microseconds = offset(bb_info_post_transfer_time)
        return microseconds > 0 ? TimeInterval(microseconds) / 1_000_000 : nil
    }
}
