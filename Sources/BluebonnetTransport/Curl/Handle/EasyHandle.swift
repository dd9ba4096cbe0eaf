import CBluebonnet
import Foundation
import Glibc

/// A libcurl easy handle that serves one exchange after the other without being reset.
///
/// It begins as a copy of its pool's ``EasyHandleTemplate``. What differs between exchanges is set for each,
/// and only where it does differ from the exchange before. It lives on the loop thread.
final class EasyHandle {
    /// What decides over the options for method and body.
    private enum Shape: Equatable {
        case get, head, copiedBody, readBody
    }

    /// Bodies up to this size are given to libcurl whole and leave with the head in one packet.
    private static let largestCopiedBody = 64 * 1024
    /// What libcurl asks for at a time of a body that is read.
    private static let uploadBufferSize = 256 * 1024
    /// What is read at a time of a response that another thread takes piece by piece.
    ///
    /// libcurl 7.88 may read so much a hundred times in one call while a chunk extension comes, of
    /// which nobody is told: with more, that takes too long.
    private static let passingBufferSize = 64 * 1024

    let easy: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>
    /// Read by libcurl for as long as the handle is in use.
    private var headerLines: HeaderLines?
    let location: RequestLocation
    private var shape = Shape.get
    private var customMethod: String?
    private var connectTimeout: Int?
    private(set) var receiveBufferSize = EasyHandleTemplate.receiveBufferSize
    private var passage = RouteSettings.Passage()
    /// Read by libcurl for as long as the passage is in use.
    private var tunnelLines: HeaderLines?
    private(set) var share: UnsafeMutableRawPointer?
    /// The look at the first field of a head.
    var firstField = FirstFieldLook.none
    /// How many TLS connections were begun on the socket that was opened last.
    var tlsContextCount = 0
    /// Whether a connection was begun for the exchange.
    var hasConnected = false
    var leavesOldAddresses = false
    /// Whether it has served an exchange.
    var isUsed = false
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) var remoteAddress = RepeatedText()
    @exclusivity(unchecked) var localAddress = RepeatedText()
    let template: EasyHandleTemplate
    /// Who judges the certificates of a connection that is made for the exchange; nil for libcurl.
    var judge: CertificateJudge?
    /// Why nobody could judge them.
    var trustFailure: Exchange.Failure?
    unowned let connectionPool: ConnectionPool
    private var actionCountWhenAdded = 0
    /// Whether the connection is closed after the exchange, whatever the server wants.
    private(set) var forbidsReuse = false
    /// Whether a connection is made for the exchange, whatever connections there are.
    var connectsAnew = false

    /// The exchange it serves; nil between two.
    var transfer: CurlTransfer?

    /// The context pointer for libcurl's callbacks; valid while the handle lives.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ context: UnsafeMutableRawPointer) -> EasyHandle {
        Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    }

    /// The context pointer that libcurl's own handle has.
    static func context(of easy: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        var context: UnsafeMutableRawPointer?
        // The option is declared for a string, and holds any pointer.
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
        CURLOPT_SEEKDATA, CURLOPT_PREREQDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_SOCKOPTDATA,
        CURLOPT_SSL_CTX_DATA,
    ]

    // MARK: An exchange

    /// Sets what this exchange needs.
    func configure(for exchange: Exchange) throws(Exchange.Failure) {
        errorBuffer[0] = 0
        judge = nil
        trustFailure = nil
        actionCountWhenAdded = connectionPool.actionCount
        hasConnected = false
        try endLookAtFirstField()
        // See `mayKeepConnection`.
        if template.speaksHTTP2 { try forbidReuse() } else { try allowReuse() }
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

    /// Prepares for the exchange's going on in libcurl, which has failed to connect.
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

    /// Keeps and finds TLS sessions there.
    func use(_ share: UnsafeMutableRawPointer) throws(Exchange.Failure) {
        guard share != self.share else { return }
        try check(bb_easy_set_pointer(easy, CURLOPT_SHARE, share))
        self.share = share
    }

    /// Whether libcurl asks for the request's body piece by piece.
    var readsBody: Bool { shape == .readBody }

    /// Sets how much is read at once: a body that another thread passes on comes in pieces that are
    /// worth waking it for.
    private func setReceiveBufferSize(for exchange: Exchange) {
        let size =
            exchange.keepsBody ? EasyHandleTemplate.receiveBufferSize : Self.passingBufferSize
        guard size != receiveBufferSize else { return }
        // Before 8.8 a handle that was cancelled keeps its buffer, and with it the size.
        if bb_easy_set_long(easy, CURLOPT_BUFFERSIZE, size) == CURLE_OK { receiveBufferSize = size }
    }

    /// A timeout as libcurl takes it: 0 would be its own 300 seconds, and no number is too large.
    private static func milliseconds(_ seconds: TimeInterval?) -> Int {
        let largest = Int(Int32.max)
        guard let seconds, seconds < TimeInterval(largest / 1000) else { return largest }
        return max(1, Int(max(0, seconds) * 1000))
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
            // Without a known size libcurl sends chunks.
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
            // A null pointer would mean that the body is to be read.
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

    /// Has the connection closed after the exchange.
    func forbidReuse() throws(Exchange.Failure) {
        guard !forbidsReuse else { return }
        try set(CURLOPT_FORBID_REUSE, 1)
        forbidsReuse = true
    }

    /// Has the connection closed, unless others use it, after an exchange with HTTP/2 that was given
    /// up: it may be the connection that stands still, or the server may still be sending.
    ///
    /// libcurl does so itself with HTTP/1.1, and resets the stream alone otherwise.
    func leaveConnection() {
        // What cannot be set leaves the connection as it is.
        if template.speaksHTTP2 { try? forbidReuse() }
    }

    /// Has the connection kept after the exchange, now that a head has come on it.
    ///
    /// libcurl 8.14 would keep one with HTTP/2 in plain text on which none has ever come, and have
    /// every later exchange wait for it.
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

    // MARK: What libcurl knows

    /// Whether libcurl has begun with the exchange, so that what it knows is not of the one before.
    var hasBegun: Bool { connectionPool.actionCount != actionCountWhenAdded }

    /// The proxy that the exchange goes through.
    var proxy: Exchange.Route.Proxy? {
        passage.isDirect ? nil : template.settings.proxy(template.isSecure)
    }

    /// Whether libcurl was given the body whole.
    var isBodyCopied: Bool { shape == .copiedBody }

    /// Whether the exchange brings a login for a proxy, or its route has one.
    var hasProxyLogin: Bool {
        passage.tunnelAuthorization != nil || passage.hasOwnLogin || proxy?.hasLogin == true
    }

    var errorText: String { String(cString: errorBuffer) }
}
