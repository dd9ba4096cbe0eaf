extension CoveredFault {
    /// Every case that another suite shows.
    static let all = [
        connections, trust, credentials, requests, downloads, tasks, process, documents,
    ].flatMap(\.self)

    // Where the suites are.
    static let session = "BluebonnetTests/Session/"
    static let requestSuites = "BluebonnetTests/Requests/"
    static let responses = "BluebonnetTests/Responses/"
    static let transport = "BluebonnetTransportTests/"
    static let loop = "BluebonnetTransportTests/Loop/"
    static let addresses = "BluebonnetTransportTests/Guard/"
    static let faults = "IntegrationTests/Faults/"
    static let security = "IntegrationTests/Security/"
    static let sockets = "IntegrationTests/Session/"
}
