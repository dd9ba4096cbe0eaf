import Foundation
import FoundationNetworking
import Glibc

/// The exchanges to one scheme, host and port: how many are under way, and who waits.
final class HostQueue: QueueMember {
    let key: String
    var position = QueuePosition()
    /// What its next exchange takes; of no meaning while it is in no queue.
    var need = ConnectionQueue.Need.connection
    var activeCount = 0
    /// How many exchanges its connections carry at once, as its last response had it.
    var streamsPerConnection = 1
    /// Whether its last response was in HTTP/2.
    var multiplexes = false
    /// Whether its addresses have been looked up.
    var isAddressKnown = false
    /// The exchange that makes a connection which others wait for.
    var lead: CurlTransfer?
    /// Those that wait for it, out of libcurl.
    var followers: [CurlTransfer] = []
    /// Whether a connection was ever made.
    var hasConnected = false
    let waiting = PriorityQueue<CurlTransfer>()
    let isSecure: Bool
    /// The key's bytes.
    private let spelling: [UInt8]

    init(key: String) {
        self.key = key
        isSecure = key.hasPrefix("https:")
        spelling = Array(key.utf8)
    }

    /// Whether a URL begins with the key as it is; one that does not may yet have the same.
    func isHost(of url: String) -> Bool {
        // A native string's bytes are there without a copy; another one is looked up by its key.
        url.utf8.withContiguousStorageIfAvailable { url in
            guard url.count >= spelling.count,
                url.count == spelling.count || Self.isEndOfAuthority(url[spelling.count]),
                let start = url.baseAddress
            else { return false }
            return memcmp(start, spelling, spelling.count) == 0
        } ?? false
    }

    /// How many connections its exchanges take.
    var share: Int { connectionCount(forActive: activeCount) }

    /// How many connections so many exchanges take.
    func connectionCount(forActive count: Int) -> Int {
        streamsPerConnection == 1
            ? count : (count + streamsPerConnection - 1) / streamsPerConnection
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

    /// The exchange whose turn it is; those that are suspended lose theirs.
    var firstReady: CurlTransfer? {
        while let transfer = waiting.first {
            guard transfer.pauses.isSuspended else { return transfer }
            waiting.remove(transfer)
            transfer.stage = .parked
        }
        return nil
    }
}
