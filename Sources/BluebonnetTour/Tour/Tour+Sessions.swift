import Bluebonnet

// What a manager remembers from one request to the next.
extension Tour {
    /// The second request has the credential with it, so its server need not ask.
    mutating func answerChallenge() async {
        let asked = Count()
        manager.didReceiveChallenge = { _, challenge in
            asked.increment()
            guard challenge.previousFailureCount == 0 else { return .performDefaultHandling }
            return .useCredential(
                URLCredential(
                    user: TourRoutes.user, password: TourRoutes.password, persistence: .forSession
                )
            )
        }
        defer { manager.didReceiveChallenge = nil }
        let responses = [
            await get("secret", StringResponseSerializer()),
            await get("secret", StringResponseSerializer()),
        ]
        let exchanges = responses.map { $0.metrics?.exchanges.count ?? 0 }
        let held = responses[1].value == TourRoutes.secret && asked.current == 1
        report("answer a challenge", responses[0], held && exchanges == [2, 1]) {
            "read \"\($0)\"; asked \(asked.current) time in 2 requests"
        }
    }

    mutating func keepCookie() async {
        let first = await get("cookie", StringResponseSerializer())
        let second = await get("cookie", StringResponseSerializer())
        let kept = manager.cookieStorage?.cookies.map { "\($0.name)=\($0.value)" } ?? []
        let held = first.value == "" && second.value == TourRoutes.cookie
        report("keep a cookie", second, held && kept == [TourRoutes.cookie]) {
            "the second request had \($0)"
        }
    }
}
