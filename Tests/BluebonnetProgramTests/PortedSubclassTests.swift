import BluebonnetChain
import BluebonnetTesting
import Testing

@Suite("Subclasses that are written for Alamofire", .timeLimit(.minutes(1)))
struct PortedSubclassTests {
    private func sent(
        _ interceptor: any RequestInterceptor, path: String = "a"
    ) async -> [StubRequest] {
        let stub = StubTransport()
        stub.on("/**", StubResponse(503))
        let session = Session(baseURL: URL(string: "http://stub.test/"), transport: stub)
        session.interceptors = [interceptor]
        _ = await session.request(path).validate().serializingData().response
        return stub.requests
    }

    @Test("overrides of completion forms compile without testability, and are asked")
    func asked() async {
        let patient = PatientPolicy(retryLimit: 1, exponentialBackoffScale: 0)
        #expect(await sent(patient).count == 2)
        #expect(await sent(patient, path: "never").count == 1)
        #expect(await sent(LostPolicy()).count == 2)
        let key = KeyAdapter { request, _, completion in completion(.success(request)) }
        #expect(await sent(key).map { $0.headers["X-Key"] } == ["k"])
        let state = StateAdapter { request, _, completion in completion(.success(request)) }
        #expect(await sent(state).first?.headers["X-State"]?.count == 36)
        let once = OnceRetrier { _, _, _, completion in completion(.doNotRetry) }
        #expect(await sent(once).count == 2)
        let whole = WholeInterceptor(adapter: key, retrier: once)
        let requests = await sent(whole)
        #expect(requests.map { $0.headers["X-Whole"] } == ["w", "w"])
        #expect(requests.map { $0.headers["X-Key"] } == ["k", "k"])
    }
}
