/// Bytes a second over the last seconds, from counts at moments that only go forward.
struct TransferRate {
    private struct Sample {
        let time: Duration
        let bytes: Int64
    }

    private static let window = Duration.seconds(5)
    /// Closer samples would not make it smoother, and a shorter time says nothing yet.
    private static let spacing = Duration.milliseconds(100)

    private var samples: [Sample] = []
    private var latest: Int64 = 0

    /// Fewer bytes than before mean a new attempt, which starts a new measurement.
    mutating func record(bytes: Int64, at time: Duration) {
        if bytes < latest { samples = [] }
        latest = bytes
        if let last = samples.last, time - last.time < Self.spacing { return }
        samples.append(Sample(time: time, bytes: bytes))
        // The last sample from before the window tells what there was when the window began.
        while samples.count > 1, time - samples[1].time >= Self.window { samples.removeFirst() }
    }

    /// Nil until it has watched long enough to say; falls to zero while no more bytes come.
    func bytesPerSecond(at time: Duration) -> Double? {
        guard let first = samples.first, time - first.time >= Self.spacing else { return nil }
        let start = max(first.time, time - Self.window)
        let before = samples.last { $0.time <= start } ?? first
        return (Double(latest) - Double(before.bytes)) / ((time - start) / .seconds(1))
    }
}
