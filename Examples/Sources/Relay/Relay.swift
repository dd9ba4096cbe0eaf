import Bluebonnet

/// Sends the body of one response as the body of another request, while it arrives.
struct Relay: Sendable {
    let api: HTTPSessionManager
    private let clock: any SessionClock

    init(configuration: SessionConfiguration = .default, transport: (any Transport)? = nil) {
        api = HTTPSessionManager(configuration: configuration, transport: transport)
        clock = configuration.clock
    }

    /// Gets the source, puts its body to the destination, and returns the response of that.
    ///
    /// A slow destination slows the source down, so memory use does not depend on the size. If one
    /// side fails, the other is canceled. The deadline is for both together.
    func relay(
        from source: URL, to destination: URL, deadline: Duration
    ) async throws(BluebonnetError) -> ResponseHead? {
        let end = clock.now + deadline
        // Compressed bodies stay compressed, so that their length is known.
        let stream = try await api.stream(
            for: URLRequest(url: source),
            options: [
                .decodesContent(false), .interceptor(.server), .deadline(deadline / .seconds(1)),
            ])

        var put = URLRequest(url: destination)
        put.httpMethod = "PUT"
        for name in ["Content-Type", "Content-Encoding"] {
            put.setValue(stream.head.headers[name], forHTTPHeaderField: name)
        }
        let response = await api.upload(
            for: put, from: stream, length: stream.head.expectedContentLength, serializer: .http,
            options: .deadline((end - clock.now) / .seconds(1)))
        if let error = response.error { throw error }
        return response.head
    }
}
