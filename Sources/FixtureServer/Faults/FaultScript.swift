/// What a ``FaultServer`` does on the connections that it accepts, in their order.
public struct FaultScript: Sendable {
    /// The actions for each connection; later connections are served well.
    public let connections: [[FaultAction]]

    /// A script with these connections; with none the server has no fault.
    public init(_ connections: [FaultAction]...) {
        self.connections = connections
    }

    /// The same actions on so many connections.
    public init(repeating actions: [FaultAction], count: Int) {
        connections = Array(repeating: actions, count: count)
    }

    /// The body of a good answer.
    public static let goodBody = Array("good".utf8)

    static let goodAnswer =
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(goodBody.count)\r\n\r\n".utf8) + goodBody

    func actions(forConnection index: Int) -> [FaultAction] {
        connections.indices.contains(index) ? connections[index] : [.serve]
    }
}
