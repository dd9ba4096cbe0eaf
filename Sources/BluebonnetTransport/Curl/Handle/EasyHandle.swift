import CBluebonnet
import Foundation
import Glibc

/// A libcurl easy handle that serves one exchange after another without being reset.
///
/// It starts as a copy of its pool's ``EasyHandleTemplate``. For each exchange, only the options
/// that differ from the previous exchange are set. Used only on the loop thread.
final class EasyHandle {
    /// The kind of request, which determines the options for method and body.
    private enum Shape: Equatable {
        case get, head, copiedBody, readBody
    }

    /// The size in bytes up to which libcurl gets a body whole and sends it together with the head.
    private static let largestCopiedBody = 64 * 1024
    /// The number of bytes that libcurl requests at a time from a body that is read piece by piece.
    private static let uploadBufferSize = 256 * 1024
    /// The number of bytes that libcurl reads at a time if another thread takes the response in
    /// pieces.
    ///
    /// libcurl 7.88 can read this much a hundred times in one call while a chunk extension arrives,
    /// without calling back. With a larger buffer, that would take too long.
    private static let passingBufferSize = 64 * 1024

    let easy: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>
    /// The header fields of the request, which libcurl reads as long as the handle is in use.
    private var headerLines: HeaderLines?
    let location: RequestLocation
    private var shape = Shape.get
    private var customMethod: String?
    private var connectTimeout: Int?
    private(set) var receiveBufferSize = EasyHandleTemplate.receiveBufferSize
    private var passage = RouteSettings.Passage()
    /// The header fields for a tunnel, which libcurl reads as long as the passage is in use.
    private var tunnelLines: HeaderLines?
    private(set) var share: UnsafeMutableRawPointer?
    /// The state of the check of a head's first field.
    var firstField = FirstFieldLook.none
    /// The number of TLS connections that were started on the socket that was opened last.
    var tlsContextCount = 0
    /// Whether a connection was opened for the exchange.
    var hasConnected = false
    var leavesOldAddresses = false
    /// Whether it has served an exchange.
    var isUsed = false
    /// Whether libcurl writes notes about the exchange: see ``HTTP2Note``.
    private var writesNotes = false
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) var remoteAddress = RepeatedText()
    @exclusivity(unchecked) var localAddress = RepeatedText()
    let template: EasyHandleTemplate
    /// The judge of the certificates of the exchange's new connection, or nil if libcurl verifies
    /// them.
    var judge: CertificateJudge?
    /// The failure to set up the verification of certificates, if there was one.
    var trustFailure: Exchange.Failure?
    unowned let connectionPool: ConnectionPool
    private var actionCountWhenAdded = 0
    /// Whether the connection is closed after the exchange, even if the server would keep it open.
    private(set) var forbidsReuse = false
    /// Whether a new connection is opened for the exchange, even if an idle one is available.
    var connectsAnew = false

    /// The exchange that the handle serves, or nil if it is idle.
    var transfer: CurlTransfer?

    /// The context pointer for libcurl's callbacks, which is valid while the handle exists.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ context: UnsafeMutableRawPointer) -> EasyHandle {
        Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    }

    /// Returns the context pointer of one of libcurl's handles.
    static func context(of easy: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        var context: UnsafeMutableRawPointer?
        // The information is declared as a string, but can be any pointer.
        _ = bb_easy_get_pointer(easy, CURLINFO_PRIVATE, &context)
        return context
    }

    init(connectionPool: ConnectionPool, template: EasyHandleTemplate) throws(Exchange.Failure) {
        guard let memory = malloc(Int(CURL_ERROR_SIZE)) else { throw .noMemory }
        guard let easy = curl_easy_duphandle(template.easy) else {
            free(memory)
            throw .noMemory
        }
        guard let location = RequestLocation() else {
            curl_easy_cleanup(easy)
            free(memory)
            throw .noMemory
        }
        self.easy = easy
        self.location = location
        errorBuffer = memory.bindMemory(to: CChar.self, capacity: Int(CURL_ERROR_SIZE))
        self.connectionPool = connectionPool
        self.template = template
        try template.complete(easy)
        try check(bb_easy_set_pointer(easy, CURLOPT_ERRORBUFFER, errorBuffer))
        for option in Self.contextOptions {
            try check(bb_easy_set_pointer(easy, option, context))
        }
    }

    deinit {
        curl_easy_cleanup(easy)
        free(errorBuffer)
    }

    private static let contextOptions = [
        CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA,
        CURLOPT_SEEKDATA, CURLOPT_PREREQDATA, CURLOPT_RESOLVER_START_DATA,
        CURLOPT_OPENSOCKETDATA, CURLOPT_SOCKOPTDATA, CURLOPT_SSL_CTX_DATA, CURLOPT_DEBUGDATA,
    ]

    // MARK: Preparing for an exchange

    /// Sets the options that an exchange needs.
    func configure(for exchange: Exchange) throws(Exchange.Failure) {
        errorBuffer[0] = 0
        judge = nil
        trustFailure = nil
        actionCountWhenAdded = connectionPool.actionCount
        hasConnected = false
        try endLookAtFirstField()
        // See `mayKeepConnection`.
        if template.speaksHTTP2 { try forbidReuse() } else { try allowReuse() }
        try endNotes()
        try useKeptConnections()
        try useFreshAddresses()
        try template.settings.renew(easy)
        try location.set(exchange.url, on: easy)
        try setMethodAndBody(exchange)
        try setFields(exchange)
        if headerLines?.endsConnection == true { try forbidReuse() }
        try setPassage(exchange)
        try setConnectTimeout(exchange.timeouts.connect)
        setReceiveBufferSize(for: exchange)
    }

    /// Prepares the handle to return to libcurl, after libcurl could not connect.
    func configureAgain(connectTimeout seconds: TimeInterval?) throws(Exchange.Failure) {
        errorBuffer[0] = 0
        actionCountWhenAdded = connectionPool.actionCount
        try setConnectTimeout(seconds)
    }

    private func setConnectTimeout(_ seconds: TimeInterval?) throws(Exchange.Failure) {
        let timeout = Self.milliseconds(seconds)
        guard timeout != connectTimeout else { return }
        try set(CURLOPT_CONNECTTIMEOUT_MS, timeout)
        connectTimeout = timeout
    }

    /// Makes the handle store and look up TLS sessions in a libcurl share.
    func use(_ share: UnsafeMutableRawPointer) throws(Exchange.Failure) {
        guard share != self.share else { return }
        try check(bb_easy_set_pointer(easy, CURLOPT_SHARE, share))
        self.share = share
    }

    /// Whether libcurl asks for the request's body piece by piece.
    var readsBody: Bool { shape == .readBody }

    /// Sets how many bytes libcurl reads at once.
    ///
    /// A body that another thread takes in pieces needs a larger buffer, so that each piece is
    /// worth waking that thread.
    private func setReceiveBufferSize(for exchange: Exchange) {
        let size =
            exchange.keepsBody ? EasyHandleTemplate.receiveBufferSize : Self.passingBufferSize
        guard size != receiveBufferSize else { return }
        // Before 8.8, this fails on a handle whose exchange was canceled, because it keeps its
        // buffer.
        if bb_easy_set_long(easy, CURLOPT_BUFFERSIZE, size) == CURLE_OK { receiveBufferSize = size }
    }

    /// Returns a timeout as libcurl takes it, in milliseconds.
    ///
    /// The result is at least 1, because 0 means libcurl's default of 300 seconds. Without a
    /// timeout it is the largest value.
    private static func milliseconds(_ seconds: TimeInterval?) -> Int {
        let largest = Int(Int32.max)
        guard let seconds, seconds < TimeInterval(largest / 1000) else { return largest }
        return max(1, Int((max(0, seconds) * 1000).rounded(.up)))
    }

    private func setMethodAndBody(_ exchange: Exchange) throws(Exchange.Failure) {
        let wanted = Self.shape(of: exchange)
        if wanted != shape {
            if shape == .head { try set(CURLOPT_NOBODY, 0) }
            switch wanted {
            case .get: try set(CURLOPT_HTTPGET, 1)
            case .head: try set(CURLOPT_NOBODY, 1)
            case .copiedBody, .readBody: try set(CURLOPT_POST, 1)
            }
            shape = wanted
        }
        if case .data(let body) = exchange.body, wanted == .copiedBody {
            try setCopied(body)
        } else if let body = exchange.body {
            try check(bb_easy_set_pointer(easy, CURLOPT_POSTFIELDS, nil))
            // Without a known size, libcurl sends chunks.
            let size = curl_off_t(body.length ?? -1)
            try check(bb_easy_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, size))
            try set(CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBufferSize)
        }
        let standard = wanted == .get ? "GET" : wanted == .head ? "HEAD" : "POST"
        let custom = exchange.method == standard ? nil : exchange.method
        if custom != customMethod {
            try check(bb_easy_set_string(easy, CURLOPT_CUSTOMREQUEST, custom))
            customMethod = custom
        }
    }

    private static func shape(of exchange: Exchange) -> Shape {
        switch exchange.body {
        case .data(let data): data.count <= largestCopiedBody ? .copiedBody : .readBody
        case .stream: .readBody
        case nil: exchange.method == "HEAD" ? .head : .get
        }
    }

    private func setCopied(_ body: Data) throws(Exchange.Failure) {
        try check(bb_easy_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
        let result = body.withUnsafeBytes { bytes in
            // With a null pointer, libcurl would ask for the body piece by piece.
            withUnsafePointer(to: UInt8(0)) { empty in
                let start = bytes.baseAddress ?? UnsafeRawPointer(empty)
                return bb_easy_set_pointer(
                    easy,
                    CURLOPT_COPYPOSTFIELDS,
                    UnsafeMutableRawPointer(mutating: start)
                )
            }
        }
        try check(result)
    }

    private func setFields(_ exchange: Exchange) throws(Exchange.Failure) {
        let lines = try connectionPool.headerLines(for: exchange)
        guard lines !== headerLines else { return }
        try check(bb_easy_set_pointer(easy, CURLOPT_HTTPHEADER, lines.list))
        headerLines = lines
    }

    private func setPassage(_ exchange: Exchange) throws(Exchange.Failure) {
        let wanted = template.settings.passage(of: exchange, isSecure: template.isSecure)
        guard wanted != passage else { return }
        let lines = try template.settings.apply(wanted, to: easy, isSecure: template.isSecure)
        (passage, tunnelLines) = (wanted, lines)
    }

    /// Makes libcurl write notes about the exchange from now on.
    func beginNotes() {
        // Without notes, less is safe to send again.
        if bb_easy_set_long(easy, CURLOPT_VERBOSE, 1) == CURLE_OK { writesNotes = true }
    }

    private func endNotes() throws(Exchange.Failure) {
        guard writesNotes else { return }
        try set(CURLOPT_VERBOSE, 0)
        writesNotes = false
    }

    /// Makes libcurl close the connection after the exchange.
    func forbidReuse() throws(Exchange.Failure) {
        guard !forbidsReuse else { return }
        try set(CURLOPT_FORBID_REUSE, 1)
        forbidsReuse = true
    }

    /// Makes libcurl close the connection of an abandoned HTTP/2 exchange, unless other exchanges
    /// use it.
    ///
    /// The connection may be the one that has stalled, or the server may still be sending. With
    /// HTTP/1.1 libcurl closes the connection by itself. With HTTP/2 it would only reset the
    /// stream.
    func leaveConnection() {
        // If the option cannot be set, the connection stays open.
        if template.speaksHTTP2 { try? forbidReuse() }
    }

    /// Lets libcurl keep the connection after the exchange, now that a head has arrived on it.
    ///
    /// libcurl 8.14 would also keep an HTTP/2 connection in plain text on which no head has ever
    /// arrived, and every later exchange would wait for it.
    func mayKeepConnection() throws(Exchange.Failure) {
        if template.speaksHTTP2, headerLines?.endsConnection != true { try allowReuse() }
    }

    private func allowReuse() throws(Exchange.Failure) {
        guard forbidsReuse else { return }
        try set(CURLOPT_FORBID_REUSE, 0)
        forbidsReuse = false
    }

    // MARK: Options

    func set(_ option: CURLoption, _ value: Int) throws(Exchange.Failure) {
        try check(bb_easy_set_long(easy, option, value))
    }

    private func check(_ result: CURLcode) throws(Exchange.Failure) {
        guard result == CURLE_OK else { throw .refusedOption(result) }
    }

    // MARK: State in libcurl

    /// Whether libcurl has started the exchange, so that its information is not about the previous
    /// one.
    var hasBegun: Bool { connectionPool.actionCount != actionCountWhenAdded }

    /// The proxy that the exchange goes through, or nil for none.
    var proxy: Exchange.Route.Proxy? {
        passage.isDirect ? nil : template.settings.proxy(template.isSecure)
    }

    /// Whether libcurl looks up a name to connect, for which it starts a thread.
    var looksUpName: Bool {
        let host = proxy?.host ?? transfer.flatMap { URLAuthority(of: $0.exchange.url)?.hostText }
        guard let host, IPAddress(host) == nil else { return false }
        // libcurl knows the addresses of these names.
        let name = host.lowercased()
        return name != "localhost" && !name.hasSuffix(".localhost")
    }

    /// Whether libcurl got the whole body at once.
    var isBodyCopied: Bool { shape == .copiedBody }

    /// Whether the exchange or its route has a login for the proxy.
    var hasProxyLogin: Bool {
        passage.tunnelAuthorization != nil || passage.hasOwnLogin || proxy?.hasLogin == true
    }

    var errorText: String { String(cString: errorBuffer) }
}
