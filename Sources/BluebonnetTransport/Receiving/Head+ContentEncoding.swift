extension Exchange.Head {
    /// The values of all `Content-Encoding` fields; nil without one.
    var contentEncoding: String? {
        let values = block.values(of: .contentEncoding)
        return values.isEmpty ? nil : values.joined(separator: ",")
    }
}
