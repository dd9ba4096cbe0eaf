// The code of `InAServer.md`, which `ArticleTests` compares with it.

import Bluebonnet
import BluebonnetEcosystem
import HTTPTypes
import Logging
import ServiceLifecycle
import UnixSignals

func makeManager() -> HTTPSessionManager {
    var configuration = SessionConfiguration.default
    configuration.tracer = DistributedTracer()
    let api = HTTPSessionManager(configuration: configuration)
    api.addMonitor(LogMonitor(logger: Logger(label: "shop.api")))
    api.addMonitor(SwiftMetricsMonitor())
    return api
}

func run(_ api: HTTPSessionManager, _ server: some Service, _ logger: Logger) async throws {
    let group = ServiceGroup(
        services: [SessionService(api, grace: .seconds(20)), server],
        gracefulShutdownSignals: [.sigterm], logger: logger)
    try await group.run()
}

func send(_ api: HTTPSessionManager) async throws {
    let request = HTTPRequest(
        method: .get, scheme: "https", authority: "api.example.com", path: "/users/7")
    let (response, body) = try await api.send(request)
    print(response.status, body.count)
}
