extension Exchange.Head {
    /// Whether another reader could look for the response's end elsewhere, so that what follows on
    /// the connection might be taken for a response (RFC 9112 sections 6.1 and 6.3).
    func isEndDisputable(in protocolVersion: String) -> Bool {
        guard protocolVersion != "HTTP/2" else { return false }
        let coding = block.firstValue(of: "Transfer-Encoding")
        // There is no body, and yet one is announced.
        if statusCode == 204 { return coding != nil || declaredLength ?? 0 > 0 }
        guard let coding else { return false }
        return declaredLength != nil || protocolVersion == "HTTP/1.0"
            || !coding.caseInsensitiveEquals("chunked")
            || block.values(of: "Transfer-Encoding").count > 1
    }
}
