/// The actions of a ``FaultServer`` on the connections that it accepts, in order.
public struct FaultScript: Sendable {
    /// The actions for each connection.
    ///
    /// Later connections get only normal responses.
    public let connections: [[FaultAction]]

    /// Whether the server uses HTTP/2 after the last action and on later connections.
    public let speaksHTTP2: Bool

    /// Creates a script with actions for each connection.
    ///
    /// A script without connections has no fault.
    public init(_ connections: [FaultAction]...) {
        self.init(connections: connections)
    }

    /// Creates a script with the same actions for `count` connections.
    public init(repeating actions: [FaultAction], count: Int, speaksHTTP2: Bool = false) {
        self.init(
            connections: Array(repeating: actions, count: count), speaksHTTP2: speaksHTTP2)
    }

    init(connections: [[FaultAction]], speaksHTTP2: Bool = false) {
        self.connections = connections
        self.speaksHTTP2 = speaksHTTP2
    }

    /// The body of a normal response.
    public static let goodBody = Array("good".utf8)

    static let goodAnswer =
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(goodBody.count)\r\n\r\n".utf8) + goodBody

    func actions(forConnection index: Int) -> [FaultAction] {
        if connections.indices.contains(index) { return connections[index] }
        return speaksHTTP2 ? [.beginHTTP2([]), .serve] : [.serve]
    }
}
