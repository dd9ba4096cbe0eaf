import Foundation
import FoundationNetworking
import Glibc

/// The exchanges to one scheme, host, and port: the number in progress, and those that wait.
final class HostQueue: QueueMember {
    let key: String
    var position = QueuePosition()
    /// What the next exchange needs, which is meaningful only while the host is in a queue.
    var need = ConnectionQueue.Need.connection
    var activeCount = 0
    /// The number of exchanges that a connection carries at once, judging by the last response.
    var streamsPerConnection = 1
    /// Whether the last response was in HTTP/2.
    var multiplexes = false
    /// Whether an exchange was denied a look-up because all look-ups were in use.
    var waitsForLookUp = false
    /// Whether a response has ever begun.
    private(set) var hasAnswered = false
    /// Whether the host holds one of the reserved connections on which hosts are tried.
    var isOnTrial = false
    /// The number of exchanges in progress whose response has not begun.
    private var awaitedCount = 0
    /// When the first of them was started, or a response last began, whichever is later.
    private var awaitedSince: MonotonicInstant?
    /// When the host last got an exchange after it had none, or nil if it had answered before.
    var arrival: MonotonicInstant?
    /// The exchange that is opening a connection for which others wait.
    var lead: CurlTransfer?
    /// The exchanges that wait for the lead's connection outside libcurl.
    var followers: [CurlTransfer] = []
    /// Whether a connection was ever opened.
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

    /// Returns whether a URL begins with exactly this key.
    ///
    /// A URL that does not can still have the same key in another spelling.
    func isHost(of url: String) -> Bool {
        // Only native strings give access to their bytes without a copy. Others are looked up by
        // key.
        url.utf8.withContiguousStorageIfAvailable { url in
            guard url.count >= spelling.count,
                url.count == spelling.count || Self.isEndOfAuthority(url[spelling.count]),
                let start = url.baseAddress
            else { return false }
            return memcmp(start, spelling, spelling.count) == 0
        } ?? false
    }

    // MARK: Answers

    /// The seconds without an answer after which a host with exchanges in progress is slow.
    private static let patience: TimeInterval = 1

    /// Records that a response of this host is awaited.
    func beginToAwait(at now: MonotonicInstant) {
        if awaitedCount == 0 { awaitedSince = now }
        awaitedCount += 1
    }

    /// Records that a response is no longer awaited, because it has begun or its exchange is over.
    func endToAwait(hasAnswered: Bool, at now: MonotonicInstant) {
        awaitedCount -= 1
        guard hasAnswered else { return }
        self.hasAnswered = true
        awaitedSince = now
    }

    /// Returns whether the host has answered, and does not keep its exchanges waiting.
    func answers(at now: MonotonicInstant) -> Bool {
        guard hasAnswered, awaitedCount > 0, let awaitedSince else { return hasAnswered }
        return now.seconds(since: awaitedSince) < Self.patience
    }

    // MARK: Connections

    /// The number of connections that the exchanges in progress take.
    var share: Int { connectionCount(forActive: activeCount) }

    /// Returns the number of connections that `count` exchanges take.
    func connectionCount(forActive count: Int) -> Int {
        streamsPerConnection == 1
            ? count : (count + streamsPerConnection - 1) / streamsPerConnection
    }

    /// Whether one more exchange would take another connection.
    var needsConnectionForOneMore: Bool { connectionCount(forActive: activeCount + 1) > share }

    /// Whether no exchange is in progress or waits.
    var isUnused: Bool { activeCount == 0 && waiting.isEmpty }

    /// Returns the scheme and authority of a URL, without a default port, which identify its
    /// connections.
    ///
    /// Throws if libcurl would guess the URL's scheme, or find its host in another place.
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

    /// Returns the length of `http://` or `https://` at the start of the URL, or nil for neither.
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

    /// Returns the authority with the scheme, or an empty string if there is no host.
    private static func authority(of url: UnsafeBufferPointer<UInt8>, after start: Int) -> String {
        var end = start
        while end < url.count, !isEndOfAuthority(url[end]) { end += 1 }
        guard end > start else { return "" }
        let port: StaticString = start == 8 ? ":443" : ":80"
        let portStart = end - port.utf8CodeUnitCount
        // To libcurl, a host with and without the default port is the same, with one limit.
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

    /// The next exchange to start, or nil if there is none.
    ///
    /// Suspended exchanges before it leave the queue and are parked.
    var firstReady: CurlTransfer? {
        while let transfer = waiting.first {
            guard transfer.pauses.isSuspended else { return transfer }
            waiting.remove(transfer)
            transfer.stage = .parked
        }
        return nil
    }
}
