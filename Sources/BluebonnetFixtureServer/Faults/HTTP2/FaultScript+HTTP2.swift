extension FaultScript {
    /// Creates a script for a server that uses HTTP/2, also on connections beyond the script.
    ///
    /// Begin each connection with ``FaultAction/beginHTTP2(_:)``, unless the fault is in the
    /// preface.
    public static func http2(_ connections: [FaultAction]...) -> FaultScript {
        FaultScript(connections: connections, speaksHTTP2: true)
    }
}

extension FaultAction {
    /// Sends these frames.
    public static func send(_ frames: [HTTP2Frame]) -> FaultAction {
        .send(frames.flatMap(\.bytes))
    }

    /// Sends these frames repeatedly until the client disconnects.
    public static func repeatForever(_ frames: [HTTP2Frame]) -> FaultAction {
        .repeatForever(frames.flatMap(\.bytes))
    }
}
