/// What a ``FaultServer`` does on the connections that it accepts, in their order.
public struct FaultScript: Sendable {
    /// The actions for each connection; later connections are served well.
    public let connections: [[FaultAction]]

    /// Whether it is HTTP/2 that is served well after the last action, and on later connections.
    public let speaksHTTP2: Bool

    /// A script with these connections; with none the server has no fault.
    public init(_ connections: [FaultAction]...) {
        self.init(connections: connections)
    }

    /// The same actions on so many connections.
    public init(repeating actions: [FaultAction], count: Int, speaksHTTP2: Bool = false) {
        self.init(
            connections: Array(repeating: actions, count: count), speaksHTTP2: speaksHTTP2)
    }

    init(connections: [[FaultAction]], speaksHTTP2: Bool = false) {
        self.connections = connections
        self.speaksHTTP2 = speaksHTTP2
    }

    /// The body of a good answer.
    public static let goodBody = Array("good".utf8)

    static let goodAnswer =
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(goodBody.count)\r\n\r\n".utf8) + goodBody

    func actions(forConnection index: Int) -> [FaultAction] {
        if connections.indices.contains(index) { return connections[index] }
        return speaksHTTP2 ? [.beginHTTP2([]), .serve] : [.serve]
    }
}
