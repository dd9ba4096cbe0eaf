extension CoveredFault {
    /// Every case that another suite shows.
    static let all = [
        connections, trust, credentials, requests, downloads, tasks, process, documents,
    ].flatMap(\.self)
}
