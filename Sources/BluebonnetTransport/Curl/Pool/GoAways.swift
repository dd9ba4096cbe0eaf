/// The connections of a pool that servers have ended with a GOAWAY, with the last stream of each
/// that the server may have processed (RFC 9113 section 6.8).
struct GoAways {
    /// The number of connections that are kept, which end soon after.
    private static let capacity = 64

    /// By libcurl's numbers of connections, which increase.
    private var lastStreams: [Int64: UInt32] = [:]

    /// Records the last stream, which a later GOAWAY can lower.
    mutating func note(lastStream: UInt32, ofConnection connection: Int64) {
        lastStreams[connection] = min(lastStream, lastStreams[connection] ?? .max)
        guard lastStreams.count > Self.capacity, let oldest = lastStreams.keys.min() else { return }
        lastStreams[oldest] = nil
    }

    /// Returns whether the server has said that it will not process a stream.
    func exclude(_ stream: UInt32, ofConnection connection: Int64) -> Bool {
        lastStreams[connection].map { $0 < stream } == true
    }
}
