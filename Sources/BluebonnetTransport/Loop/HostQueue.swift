/// The exchanges to one scheme, host and port: how many are under way, and who waits.
final class HostQueue {
    let key: String
    var activeCount = 0
    /// Whether it is in line for a slot of the whole pool.
    var isInLine = false
    var waiting = FIFO<CurlTransfer>()

    init(key: String) {
        self.key = key
    }

    /// Scheme and authority of a URL, which decide over the connection.
    static func key(of url: String) -> String {
        var url = url
        return url.withUTF8 { bytes in
            var end = 0
            var slashes = 0
            while end < bytes.count, bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#") {
                if bytes[end] == UInt8(ascii: "/") { slashes += 1 }
                if slashes == 3 { break }
                end += 1
            }
            return String(unsafeUninitializedCapacity: end) { place in
                for index in 0..<end { place[index] = bytes[index].asciiLowercased }
                return end
            }
        }
    }

    /// The next exchange that still wants a slot.
    func popWaiting() -> CurlTransfer? {
        while let transfer = waiting.pop() {
            guard transfer.stage == .waiting else { continue }
            if !transfer.isSuspended { return transfer }
            transfer.stage = .parked
        }
        return nil
    }
}
