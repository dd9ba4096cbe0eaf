import CBluebonnet
import Glibc

// The functions that libcurl calls back on the loop thread, during one of our calls into it. They
// must not call multi functions. Each finds its object through the context pointer and forwards the
// call.

func receiveHeaderLine(
    bytes: UnsafeMutablePointer<CChar>?,
    size: Int,
    count: Int,
    context: UnsafeMutableRawPointer?
) -> Int {
    guard let context, let bytes, let transfer = EasyHandle.from(context).transfer else {
        return 0
    }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    if transfer.receiveHeaderLine(line) { return line.count }
    transfer.handle?.leaveConnection()
    return 0
}

func receiveBody(
    bytes: UnsafeMutablePointer<CChar>?,
    size: Int,
    count: Int,
    context: UnsafeMutableRawPointer?
) -> Int {
    guard let context, let bytes, let transfer = EasyHandle.from(context).transfer else {
        return 0
    }
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    switch transfer.receive(piece) {
    case .taken: return piece.count
    case .paused: return Int(CURL_WRITEFUNC_PAUSE)
    case .refused:
        transfer.handle?.leaveConnection()
        return Int(CURL_WRITEFUNC_ERROR)
    }
}

func provideBody(
    bytes: UnsafeMutablePointer<CChar>?,
    size: Int,
    count: Int,
    context: UnsafeMutableRawPointer?
) -> Int {
    guard let context, let bytes, let transfer = EasyHandle.from(context).transfer else {
        return Int(CURL_READFUNC_ABORT)
    }
    return transfer.provideBody(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

func rewindBody(context: UnsafeMutableRawPointer?, offset: curl_off_t, origin: Int32) -> Int32 {
    guard let context, origin == SEEK_SET, let transfer = EasyHandle.from(context).transfer else {
        return CURL_SEEKFUNC_FAIL
    }
    return offset == 0 && transfer.rewindBody() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

func aboutToSend(
    context: UnsafeMutableRawPointer?,
    remoteAddress: UnsafeMutablePointer<CChar>?,
    localAddress: UnsafeMutablePointer<CChar>?,
    remotePort: Int32,
    localPort: Int32
) -> Int32 {
    guard let context, let transfer = EasyHandle.from(context).transfer else {
        return CURL_PREREQFUNC_ABORT
    }
    let maySend = transfer.mayUse(connectionTo: remoteAddress) && transfer.mayBeSent()
    return maySend ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

func aboutToLookUp(
    resolver: UnsafeMutableRawPointer?,
    reserved: UnsafeMutableRawPointer?,
    context: UnsafeMutableRawPointer?
) -> Int32 {
    // Without an exchange, it is the request that only makes libcurl close connections.
    guard let context, let transfer = EasyHandle.from(context).transfer,
        let connectionPool = transfer.handle?.connectionPool
    else { return 0 }
    return connectionPool.mayLookUp(for: transfer) ? 0 : -1
}

func openSocket(
    context: UnsafeMutableRawPointer?,
    purpose: curlsocktype,
    address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let address, let transfer = EasyHandle.from(context).transfer else {
        return -1
    }
    let socket = transfer.socket(for: address)
    // libcurl records `errno` in the handle, which would then not be reused (see `isReusable`).
    if socket < 0 { errno = 0 }
    return socket
}

func setUpSocket(
    context: UnsafeMutableRawPointer?, socket: curl_socket_t, purpose: curlsocktype
) -> Int32 {
    guard let context, let transfer = EasyHandle.from(context).transfer else {
        return CURL_SOCKOPT_OK
    }
    return transfer.connection.new?.stage == .handedOver
        ? CURL_SOCKOPT_ALREADY_CONNECTED : CURL_SOCKOPT_OK
}

func closeSocket(context: UnsafeMutableRawPointer?, socket: curl_socket_t) -> Int32 {
    if let context {
        EventLoop.from(context).willClose(socket)
    }
    return close(socket)
}

func receiveNote(
    easy: UnsafeMutableRawPointer?,
    kind: curl_infotype,
    bytes: UnsafeMutablePointer<CChar>?,
    count: Int,
    context: UnsafeMutableRawPointer?
) -> Int32 {
    guard kind == CURLINFO_TEXT, let context, let bytes,
        let transfer = EasyHandle.from(context).transfer,
        let note = HTTP2Note(UnsafeRawBufferPointer(start: bytes, count: count))
    else { return 0 }
    transfer.receive(note)
    return 0
}

func watchSocket(
    easy: UnsafeMutableRawPointer?,
    socket: curl_socket_t,
    what: Int32,
    context: UnsafeMutableRawPointer?,
    socketContext: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return -1 }
    var events: UInt32 = 0
    if what == CURL_POLL_IN || what == CURL_POLL_INOUT { events |= UInt32(BB_READABLE) }
    if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { events |= UInt32(BB_WRITABLE) }
    let connectionPool = ConnectionPool.from(context)
    connectionPool.loop.watch(socket, for: easy, events, pool: connectionPool.identifier)
    return 0
}

func noteTimer(
    multi: UnsafeMutableRawPointer?,
    milliseconds: Int,
    context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return -1 }
    ConnectionPool.from(context).setTimer(milliseconds: milliseconds)
    return 0
}
