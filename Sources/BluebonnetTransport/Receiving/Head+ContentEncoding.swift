extension Exchange.Head {
    /// The values of all `Content-Encoding` fields, joined by commas, or nil if there are none.
    var contentEncoding: String? {
        let values = block.values(of: .contentEncoding)
        return values.isEmpty ? nil : values.joined(separator: ",")
    }
}
