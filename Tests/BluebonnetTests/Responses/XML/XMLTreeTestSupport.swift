import BluebonnetTestSupport
import FoundationEssentials
import Glibc

import Bluebonnet

func parse(_ document: String) throws(XMLTree.ParseError) -> XMLTree {
    try XMLTree(Data(document.utf8))
}

func refusal(of document: String) -> XMLTree.ParseError? {
    refusal(of: Data(document.utf8))
}

func refusal(of document: Data, maximumSize: Int = 16 * 1024 * 1024) -> XMLTree.ParseError? {
    do {
        _ = try XMLTree(document, maximumSize: maximumSize)
        return nil
    } catch {
        return error
    }
}

/// Reads everything in a tree and returns the number of characters.
func readAll(_ tree: XMLTree) -> Int {
    var count = tree.root.text.utf8.count
    var nodes = [tree.root]
    while let node = nodes.popLast() {
        count += node.name.utf8.count
        count += (node.prefix ?? "").utf8.count + (node.namespaceURI ?? "").utf8.count
        count += node.attributes.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        nodes += node.children
    }
    return count
}

/// A file that detects being opened.
final class CanaryFile {
    static let secret = "canary-secret"
    let path: String
    private let watch: Int32

    init() {
        var template = Array("/tmp/bluebonnet-canary-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        _ = CanaryFile.secret.withCString { write(file, $0, strlen($0)) }
        close(file)
        watch = inotify_init1(Int32(IN_NONBLOCK))
        inotify_add_watch(watch, path, UInt32(IN_OPEN))
    }

    deinit {
        close(watch)
        unlink(path)
    }

    /// Returns whether the file was opened since the last call.
    func wasOpened() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        return read(watch, &buffer, buffer.count) > 0
    }
}

/// A local TCP port that detects connections.
final class CanaryPort {
    private let listener: ListeningSocket

    init() throws {
        listener = try ListeningSocket(waits: false)
    }

    var port: UInt16 { listener.port }

    /// Returns whether there was a connection since the last call.
    func wasConnected() -> Bool {
        guard let connection = listener.accept() else { return false }
        close(connection)
        return true
    }

    /// Connects once, to verify that the port detects it.
    func connectOnce() {
        if let client = StreamSocket.connect(to: .loopback(port)) { close(client) }
    }
}
