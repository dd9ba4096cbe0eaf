import FoundationEssentials
import Glibc

@testable import Bluebonnet

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

/// Reads everything in a tree, and returns how many characters that was.
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

/// A file that notices when somebody opens it.
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

    /// Whether the file was opened since the last question.
    func wasOpened() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        return read(watch, &buffer, buffer.count) > 0
    }
}

/// A local TCP port that notices when somebody connects.
final class CanaryPort {
    let port: UInt16
    private let listener: Int32

    init() {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = CanaryPort.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        port = withUnsafeMutablePointer(to: &address) { [listener] address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = getsockname(listener, $0, &length)
            }
            return UInt16(bigEndian: address.pointee.sin_port)
        }
        listen(listener, 8)
    }

    deinit {
        close(listener)
    }

    /// Whether there was a connection since the last question.
    func wasConnected() -> Bool {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return false }
        close(connection)
        return true
    }

    /// Connects, to show that the canary is alive.
    func connectOnce() {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = CanaryPort.loopback(port: port)
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        close(client)
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

/// A small generator of pseudo-random numbers that gives the same ones for the same seed.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
