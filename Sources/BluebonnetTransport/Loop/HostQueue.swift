import Foundation
import FoundationNetworking

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

    /// Scheme and authority of a URL, which decide over the connection, without a default port.
    ///
    /// Refuses a URL for which libcurl would guess the scheme, or find a host elsewhere than here.
    static func key(of url: String) throws(Exchange.Failure) -> String {
        var url = url
        let key: String? = url.withUTF8 { bytes in
            schemeLength(of: bytes).map { authority(of: bytes, after: $0) }
        }
        guard let key else {
            throw Exchange.Failure(
                .unsupportedURL,
                message: "the URL does not begin with http:// or https://"
            )
        }
        guard !key.isEmpty else {
            throw Exchange.Failure(.badURL, message: "the URL has no host")
        }
        return key
    }

    /// The length of `http://` or `https://` at the start of the URL.
    private static func schemeLength(of url: UnsafeBufferPointer<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] as [StaticString] {
            let length = scheme.utf8CodeUnitCount
            if url.count >= length,
                (0..<length).allSatisfy({ url[$0].asciiLowercased == scheme.utf8Start[$0] })
            {
                return length
            }
        }
        return nil
    }

    /// With the scheme; empty when there is no host.
    private static func authority(of url: UnsafeBufferPointer<UInt8>, after start: Int) -> String {
        var end = start
        while end < url.count, !isEndOfAuthority(url[end]) { end += 1 }
        guard end > start else { return "" }
        let port: StaticString = start == 8 ? ":443" : ":80"
        let portStart = end - port.utf8CodeUnitCount
        // With and without the default port it is the same host to libcurl, and the same limit.
        if portStart > start,
            (portStart..<end).allSatisfy({ url[$0] == port.utf8Start[$0 - portStart] })
        {
            end = portStart
        }
        return String(unsafeUninitializedCapacity: end) { place in
            for index in 0..<end { place[index] = url[index].asciiLowercased }
            return end
        }
    }

    private static func isEndOfAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "?")
            || byte == UInt8(ascii: "#")
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
