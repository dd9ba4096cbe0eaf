import Foundation
import Testing

@testable import Bluebonnet

@Suite("Content types of files")
struct MIMETypeTests {
    private static let mimeTypes = "/etc/mime.types"

    /// Deliberate differences from Debian's or Python's table, with reasons.
    private static let deliberate = [
        "js": "RFC 9239 made text/javascript the one type", "mjs": "as js",
        "vcf": "RFC 6350; text/x-vcard is of vCard 2",
        "xml": "RFC 7303: text/xml is an alias", "xsl": "RFC 7303; 1.0 and 2.0 share the extension",
        "rss": "what feeds are served as; the x- form is older",
        "p12": "what browsers and servers have always sent", "pfx": "as p12",
        "pem": "may hold keys and requests, not a certificate chain alone",
        "wav": "what browsers send; the x- form is older",
        "opus": "RFC 7845: Opus files are Ogg; audio/opus is RTP's",
        "aif": "what browsers send; the x- form is older", "aiff": "as aif",
        "mid": "the format, not the profile for telephones", "midi": "as mid",
        "mkv": "registered by RFC 9559", "avi": "registered; the x- form is older",
        "3gp": "RFC 3839: a 3GPP file has pictures unless it is known to have none",
        "ts": "MPEG transport streams are uploaded more often than Qt's translations",
        "tex": "RFC 9110 gives unknown text no type of its own; LaTeX sources are archives' type",
        "dot": "Word's templates are older than Graphviz's use of the name",
        "obj": "registered for Wavefront's models",
        "tgz": "the outer format, which can be unpacked by its type",
        "sh": "what servers send", "ico": "registered",
        "amr": "types have no case, and ours are in lower case",
        "rdf": "RFC 3870", "wsdl": "registered",
        "rtf": "registered as both, and Python 3.13 has them both",
    ]

    /// Types that neither table has, or no longer has, with their sources.
    private static let unlisted = [
        "log": "plain text by custom", "conf": "plain text by custom",
        "map": "source maps are JSON (ECMA-426)", "ndjson": "by custom",
        "xsd": "RFC 7303", "gpx": "by custom", "yaml": "RFC 9512", "yml": "RFC 9512",
        "toml": "IANA", "plist": "by custom", "parquet": "IANA", "dng": "by custom",
        "der": "by custom, as crt", "csr": "by custom, as p10 of RFC 5967",
        "weba": "by custom, as webm", "bz2": "by custom; Python has it as an encoding",
        "tgz": "RFC 6713; Python has it as an encoding",
        "gz": "RFC 6713; Python has it as an encoding",
        "xz": "by custom; Python has it as an encoding",
    ]

    /// Compares each entry with another table.
    private func compare(with table: [String: String], _ name: String) {
        for (suffix, type) in MIMEType.types {
            guard let other = table[suffix], other != type else { continue }
            #expect(
                Self.deliberate[suffix] != nil, "\(suffix) is \(type), and \(other) in \(name)")
        }
    }

    private static func debianTypes() throws -> [String: String] {
        var types: [String: String] = [:]
        let text = try String(contentsOfFile: mimeTypes, encoding: .utf8)
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            for suffix in words.dropFirst() {
                types[suffix.lowercased()] = types[suffix] ?? words[0]
            }
        }
        return types
    }

    private static func pythonTypes() throws -> [String: String] {
        // Without the system's files, which are Debian's.
        let script = """
            import json, mimetypes
            table = mimetypes.MimeTypes(filenames=())
            print(json.dumps({k[1:]: v for t in table.types_map for k, v in t.items()}))
            """
        return try JSONDecoder().decode(
            [String: String].self, from: Python.run(script, input: ""))
    }

    @Test(
        "they are those of Debian's list unless there is a reason",
        .enabled(
            if: FileManager.default.isReadableFile(atPath: mimeTypes),
            "needs media-types: run scripts/setup --dev, which installs it"
        )
    )
    func debian() throws {
        let types = try Self.debianTypes()
        #expect(types.count > 1000)
        compare(with: types, Self.mimeTypes)
    }

    @Test(
        "they are those of Python unless there is a reason",
        .enabled(if: Python.isInstalled, Python.comment)
    )
    func python() throws {
        let types = try Self.pythonTypes()
        #expect(types.count > 100)
        compare(with: types, "Python's mimetypes")
    }

    @Test(
        "each comes from one of the two, or from a source in this test",
        .enabled(
            if: Python.isInstalled && FileManager.default.isReadableFile(atPath: mimeTypes),
            "needs python3 and media-types: run scripts/setup --dev, which installs them"
        )
    )
    func sources() throws {
        let known = Set(try Self.debianTypes().keys).union(try Self.pythonTypes().keys)
        for suffix in MIMEType.types.keys where !known.contains(suffix) {
            #expect(Self.unlisted[suffix] != nil, "\(suffix) is known to nobody else")
        }
    }

    @Test("they are lowercase and well-formed, and every reason is for an entry")
    func spelling() {
        for (suffix, type) in MIMEType.types {
            #expect(suffix == suffix.lowercased() && !suffix.isEmpty)
            #expect(type.wholeMatch(of: /[a-z]+\/[a-z0-9][a-z0-9.+-]*/) != nil, "\(type)")
        }
        let reasons = Set(Self.deliberate.keys).union(Self.unlisted.keys)
        #expect(reasons.subtracting(MIMEType.types.keys) == [])
    }

    @Test(
        "the last extension counts, in any case",
        arguments: [
            ("a.png", "image/png"), ("A.PNG", "image/png"), ("a.JpEg", "image/jpeg"),
            ("a.tar.gz", "application/gzip"), ("a.txt.zip", "application/zip"),
            ("a.zip.txt", "text/plain"), ("a.b.c.json", "application/json"),
            (".png", "image/png"), ("..png", "image/png"), (".config.json", "application/json"),
            ("a.cer", "application/pkix-cert"), ("a.crl", "application/pkix-crl"),
            ("ünï ☃.pdf", "application/pdf"), ("a.MP4", "video/mp4"),
        ])
    func extensions(_ name: String, _ type: String) {
        #expect(MIMEType.ofFile(named: name) == type)
    }

    @Test(
        "an unknown extension means octet-stream",
        arguments: [
            "", "png", "README", ".", "..", "a.", "a.png.", ".bashrc", ".png.unknown", "a.xyzzy",
            "a.png ", "a. png", "a.png\u{301}", "a.ＰＮＧ", "png.a", "a.tar.gz~", "a.png/b",
        ])
    func unknown(_ name: String) {
        #expect(MIMEType.ofFile(named: name) == "application/octet-stream")
    }
}
