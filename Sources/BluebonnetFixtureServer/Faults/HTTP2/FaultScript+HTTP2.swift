extension FaultScript {
    /// A script of a server that speaks HTTP/2, also on the connections beyond it.
    ///
    /// Each connection begins with ``FaultAction/beginHTTP2(_:)``, unless the fault is in there.
    public static func http2(_ connections: [FaultAction]...) -> FaultScript {
        FaultScript(connections: connections, speaksHTTP2: true)
    }
}

extension FaultAction {
    /// Sends these frames.
    public static func send(_ frames: [HTTP2Frame]) -> FaultAction {
        .send(frames.flatMap(\.bytes))
    }

    /// Sends these frames over and over until the client goes.
    public static func repeatForever(_ frames: [HTTP2Frame]) -> FaultAction {
        .repeatForever(frames.flatMap(\.bytes))
    }
}
