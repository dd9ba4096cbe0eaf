import Foundation
import FoundationNetworking
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("Cookie files")
struct CookieFileTests {
    /// Calls a closure with a directory that is removed afterward.
    static func withDirectory(_ body: (URL) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("cookies-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory)
    }

    static func failure(reading file: URL) -> String? {
        do throws(CookieFileError) {
            _ = try CookieJar(contentsOf: file)
            return nil
        } catch {
            return name(of: error)
        }
    }

    static func failure(writing file: URL) -> String? {
        do throws(CookieFileError) {
            try CookieJar().save(to: file)
            return nil
        } catch {
            return name(of: error)
        }
    }

    static func name(of error: CookieFileError) -> String {
        switch error {
        case .notFound: "notFound"
        case .unreadable: "unreadable"
        case .notACookieFile: "notACookieFile"
        case .newerVersion(_, let version): "newerVersion \(version)"
        case .unwritable: "unwritable"
        }
    }

    static func entry(
        _ name: String = "a", value: String = "b", domain: String = "example.com",
        path: String = "/", hostOnly: Bool = true, secure: Bool = false, more: String = ""
    ) throws -> String {
        func quoted(_ text: String) throws -> String {
            String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        }
        return try """
        {"name":\(quoted(name)),"value":\(quoted(value)),"domain":\(quoted(domain)),\
        "path":\(quoted(path)),"hostOnly":\(hostOnly),"secure":\(secure),"httpOnly":false,\
        "lastUse":1\(more)}
        """
    }

    static func file(_ entries: String...) -> Data {
        let list = entries.joined(separator: ",")
        return Data(#"{"format":"bluebonnet-cookies","version":1,"cookies":[\#(list)]}"#.utf8)
    }

    @Test("a jar is restored from its file, except for session cookies")
    func roundTrip() throws {
        try Self.withDirectory { directory in
            let file = directory.appendingPathComponent("jar.json")
            var jar = CookieJar()
            try jar.store(
                "a=\"1\"; Max-Age=100; Secure; HttpOnly; SameSite=Strict", "session=2",
                "ü=é\u{301}/; Max-Age=5000; Domain=example.com; Path=/", "c=3; Max-Age=10",
                "d=4; Max-Age=99999999999999; Path=/x/y"
            )
            try jar.save(to: file)
            let read = try CookieJar(contentsOf: file, at: start + 10)
            let url = "https://www.example.com/x/y"
            #expect(try read.sent(to: url) == "d=4; a=\"1\"; ü=é\u{301}/")
            var kept = jar.all.filter { ["a", "ü", "d"].contains($0.name) }
            for place in kept.indices {
                kept[place].creation = read.all[place].creation
                kept[place].lastAccess = read.all[place].lastAccess
            }
            #expect(read.all == kept)

            try jar.save(to: file, includingSessionCookies: true)
            let whole = try CookieJar(contentsOf: file, at: start)
            #expect(try whole.sent(to: url) == jar.sent(to: url))
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(names == ["jar.json"])
        }
    }

    @Test("a file keeps the order of creation and of use")
    func order() throws {
        try Self.withDirectory { directory in
            let file = directory.appendingPathComponent("jar.json")
            var jar = CookieJar()
            for number in 0..<50 { try jar.store("n\(number)=v; Path=/\(number)") }
            let first = try #require(URL(string: "https://www.example.com/0"))
            _ = jar.cookieHeader(for: first, at: start)
            try jar.save(to: file, includingSessionCookies: true)
            var read = try CookieJar(contentsOf: file, at: start)
            #expect(read.all.map(\.name) == jar.all.map(\.name))
            try read.store("new=v")
            #expect(try read.sent(to: "https://www.example.com/0") == "n0=v; new=v")
            #expect(try read.sent(to: "https://www.example.com/1") == "new=v")
        }
    }

    @Test("only the owner can read the file, even if it replaces one that everyone could")
    func mode() throws {
        try Self.withDirectory { directory in
            let file = directory.appendingPathComponent("jar.json")
            try Self.file().write(to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: file.path)
            try CookieJar().save(to: file)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test(
        "a file in another format is an error and is not overwritten",
        arguments: [
            "x", "{", "[]", "null", "{}", #"{"cookies":[]}"#, #"{"format":"other","version":1}"#,
            #"{"format":"bluebonnet-cookies","version":1}"#,
            #"{"format":"bluebonnet-cookies","version":0,"cookies":[]}"#,
            #"{"format":"bluebonnet-cookies","version":"1","cookies":[]}"#,
            #"{"format":"bluebonnet-cookies","version":1e99,"cookies":[]}"#,
            #"{"format":"bluebonnet-cookies","version":1,"cookies":[{}]}"#,
            #"{"format":"bluebonnet-cookies","version":1,"cookies":{}}"#,
            #"{"format":"bluebonnet-cookies","version":1,"cookies":["#,
            "# Netscape HTTP Cookie File\nexample.com\tFALSE\t/\tFALSE\t0\ta\tb\n",
            String(repeating: "[", count: 100_000), "\u{0}\u{0}",
        ]
    )
    func foreign(text: String) throws {
        try Self.withDirectory { directory in
            let file = directory.appendingPathComponent("jar.json")
            try Data(text.utf8).write(to: file)
            #expect(Self.failure(reading: file) == "notACookieFile")
            #expect(Self.failure(writing: file) == "notACookieFile")
            #expect(try Data(contentsOf: file) == Data(text.utf8))
        }
    }

    @Test("a file of a newer version is a separate error and is not overwritten")
    func newer() throws {
        try Self.withDirectory { directory in
            let file = directory.appendingPathComponent("jar.json")
            let data = Data(#"{"format":"bluebonnet-cookies","version":2,"jars":{}}"#.utf8)
            try data.write(to: file)
            #expect(Self.failure(reading: file) == "newerVersion 2")
            #expect(Self.failure(writing: file) == "newerVersion 2")
            #expect(try Data(contentsOf: file) == data)
        }
    }

    @Test("reading an empty file is an error, but a jar can be saved over it")
    func empty() throws {
        try Self.withDirectory { directory in
            let file = directory.appendingPathComponent("jar.json")
            try Data().write(to: file)
            #expect(throws: CookieFileError.self) { try CookieJar(contentsOf: file) }
            try CookieJar().save(to: file)
            #expect(try CookieJar(contentsOf: file).isEmpty)
        }
    }

    @Test("missing files, directories and unwritable places are distinct errors")
    func system() throws {
        try Self.withDirectory { directory in
            let missing = directory.appendingPathComponent("none")
            let remote = try #require(URL(string: "https://example.com/jar.json"))
            #expect(Self.failure(reading: missing) == "notFound")
            #expect(Self.failure(reading: directory) == "unreadable")
            #expect(Self.failure(writing: missing.appendingPathComponent("x")) == "unwritable")
            #expect(Self.failure(writing: remote) == "unreadable")
            #expect(Self.failure(writing: directory) == "unwritable")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
        }
    }

    @Test(
        "what is not a regular file is neither read nor replaced", arguments: Special.allCases,
        [false, true])
    func special(special: Special, isLinked: Bool) throws {
        try Self.withDirectory { directory in
            let file = directory.appendingPathComponent("jar.json")
            let place = isLinked ? directory.appendingPathComponent("named") : file
            try special.make(at: place.path)
            if isLinked { symlink("named", file.path) }
            let before = place.fileStatus
            #expect(Self.failure(writing: file) == "unwritable")
            #expect(place.fileStatus?.st_ino == before?.st_ino)
            #expect(place.fileStatus?.st_mode == before?.st_mode)
            #expect(throws: PrivateFile.Failure.self) {
                try [UInt8]().withUnsafeBytes {
                    try PrivateFile.replace(atPath: file.path, with: $0)
                }
            }
        }
    }

    @Test("the target of a symbolic link is replaced")
    func link() throws {
        try Self.withDirectory { directory in
            let file = directory.appendingPathComponent("jar.json")
            let target = directory.appendingPathComponent("target")
            try Self.file().write(to: target)
            symlink("target", file.path)
            var jar = CookieJar()
            try jar.store("a=1; Max-Age=100")
            try jar.save(to: file)
            #expect(try CookieJar(contentsOf: target, at: start).count == 1)
            #expect(target.fileStatus.map { $0.st_mode } == S_IFREG | 0o600)
            #expect(file.fileStatus.map { $0.st_mode & S_IFMT } == S_IFLNK)
        }
    }

    @Test("a file that cannot be moved into place leaves nothing behind")
    func failedRename() throws {
        try Self.withDirectory { directory in
            let place = directory.appendingPathComponent("jar.json")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            let bytes: [UInt8] = [1, 2, 3]
            #expect(throws: PrivateFile.Failure.self) {
                try bytes.withUnsafeBytes { try PrivateFile.replace(atPath: place.path, with: $0) }
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(names == ["jar.json"])
        }
    }

    @Test("the contents of a file are checked like received cookies")
    func recheck() throws {
        try Self.withDirectory { directory in
            let file = directory.appendingPathComponent("jar.json")
            let refused = try [
                Self.entry("a\r\nX-Evil: 1"), Self.entry(value: "b; c=d"), Self.entry("a=b"),
                Self.entry(""), Self.entry(" a"), Self.entry(value: "b\t"),
                Self.entry(value: "\u{7F}"),
                Self.entry(value: String(repeating: "v", count: 4096)),
                Self.entry(domain: "com", hostOnly: false), Self.entry(domain: "EXAMPLE.com"),
                Self.entry(domain: "github.io", hostOnly: false), Self.entry(domain: ""),
                Self.entry(domain: ".example.com", hostOnly: false),
                Self.entry(domain: "example.com.", hostOnly: false),
                Self.entry(domain: "1.2.3.4", hostOnly: false), Self.entry(domain: "exämple.com"),
                Self.entry(path: "x"), Self.entry(path: ""), Self.entry(path: "/\tx"),
                Self.entry("__Secure-a"), Self.entry("__Host-a", path: "/x", secure: true),
                Self.entry("__Host-a", hostOnly: false, secure: true),
                Self.entry(more: #","expires":1600000000"#),
                Self.entry(more: #","expires":-1e300"#),
            ]
            for entry in refused {
                try Self.file(entry).write(to: file)
                #expect(try CookieJar(contentsOf: file, at: start).isEmpty, "\(entry)")
            }
            let accepted = try [
                Self.entry(), Self.entry(hostOnly: false), Self.entry(domain: "localhost"),
                Self.entry(domain: "github.io"), Self.entry(domain: "::1"),
                Self.entry("__Host-a", secure: true), Self.entry(more: #","expires":1e300"#),
                Self.entry(more: #","sameSite":"lax","unknown":{}"#),
            ]
            for entry in accepted {
                try Self.file(entry).write(to: file)
                #expect(try CookieJar(contentsOf: file, at: start).count == 1, "\(entry)")
            }
        }
    }

    @Test("a file with too many cookies is reduced to the limits")
    func limits() throws {
        try Self.withDirectory { directory in
            let file = directory.appendingPathComponent("jar.json")
            let entries = try (0..<70).flatMap { host in
                try (0..<60).map { try Self.entry("n\($0)", domain: "h\(host).test") }
            }
            let list = entries.joined(separator: ",")
            try Self.file(list).write(to: file)
            let jar = try CookieJar(contentsOf: file, at: start)
            #expect(jar.count == 3000)
            #expect(jar.all.count == 3000)
        }
    }

    @Test("a file with any cut or changed byte is an error or a jar with no more cookies")
    func damage() throws {
        try Self.withDirectory { directory in
            let file = directory.appendingPathComponent("jar.json")
            let whole = Self.file(try Self.entry(), try Self.entry("b", hostOnly: false))
            var random = SeededGenerator(seed: 7)
            for length in whole.indices {
                try whole[..<length].write(to: file)
                #expect(throws: CookieFileError.self) { try CookieJar(contentsOf: file, at: start) }
                var changed = whole
                changed[length] = UInt8.random(in: 0...255, using: &random)
                try changed.write(to: file)
                if let jar = try? CookieJar(contentsOf: file, at: start) {
                    #expect(jar.count <= 2)
                }
            }
        }
    }
}
