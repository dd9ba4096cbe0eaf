import BluebonnetTestSupport

extension ClosedLoop {
    /// Starts one request under the rules of ``ClosedLoop/Request``.
    typealias Single = @Sendable (@escaping Completion) -> Void

    /// Warms up with one request, then measures `count` requests.
    ///
    /// Each response must have as many bytes as the first one.
    static func measure(
        count: Int, concurrency: Int, request: @escaping Single
    ) throws -> ClientRun {
        let expected = try once(request)
        let meter = ProcessMeter.startWhenQuiet()
        let loop = ClosedLoop(
            count: count, concurrency: concurrency, expectedByteCount: expected
        ) { request($1) }
        let byteCount = try loop.runBlocking()
        return meter.finish(requests: count, bytes: byteCount)
    }

    /// Performs one request and returns the number of bytes of its body.
    static func once(_ request: @escaping Single) throws -> Int {
        try ClosedLoop(count: 1, concurrency: 1) { request($1) }.runBlocking()
    }
}

extension AsyncLoop {
    /// Warms up with one request, then measures `count` requests.
    ///
    /// Each response must have as many bytes as the first one.
    static func measure(
        count: Int, concurrency: Int, executor: (any TaskExecutor)? = nil,
        request: @escaping Request
    ) throws -> ClientRun {
        let expected = try AsyncLoop(count: 1, concurrency: 1, request: request).runBlocking()
        let meter = ProcessMeter.startWhenQuiet()
        let loop = AsyncLoop(
            count: count, concurrency: concurrency, expectedByteCount: expected,
            executor: executor, request: request)
        let byteCount = try loop.runBlocking()
        return meter.finish(requests: count, bytes: byteCount)
    }
}
