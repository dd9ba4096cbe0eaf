import Foundation

extension ResumeRecord {
    /// The version of the resume data format, which is the only one that can be read.
    static let version = 1
    /// The maximum length of resume data in bytes, far beyond that of any URL and path.
    static let maximumDataLength = 64 * 1024

    /// The JSON members of resume data.
    ///
    /// `bluebonnetResume` is the version. `check` is the checksum of the last bytes before `offset`
    /// (64-bit FNV-1a of at most 4,096 bytes).
    private struct Form: Codable {
        var bluebonnetResume: Int
        var url: String
        var method: String
        var etag: String?
        var lastModified: String?
        var offset: Int64
        var total: Int64?
        var path: String
        var check: String
    }

    private struct Version: Decodable {
        var bluebonnetResume: Int
    }

    /// The record encoded as resume data.
    var data: Data {
        var form = Form(
            bluebonnetResume: Self.version, url: url.absoluteString, method: "GET",
            offset: offset, total: total, path: partial.path.string, check: partial.checksum.text
        )
        switch validator {
        case .entityTag(let text): form.etag = text
        case .lastModified(let text): form.lastModified = text
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and integers always encode; the fallback is data that fails to resume.
        return (try? encoder.encode(form)) ?? Data()
    }

    /// Decodes resume data.
    ///
    /// - Throws: An error for anything that is not valid resume data.
    init(data: Data) throws(ResumeDataError) {
        try self.init(Self.form(of: data))
    }

    private static func form(of data: Data) throws(ResumeDataError) -> Form {
        guard data.count <= maximumDataLength else {
            throw ResumeDataError("it has \(data.count) bytes, which is too long")
        }
        let decoder = JSONDecoder()
        guard let version = try? decoder.decode(Version.self, from: data).bluebonnetResume else {
            throw ResumeDataError("it was not created by Bluebonnet, or it is damaged")
        }
        guard version == Self.version else {
            throw ResumeDataError(
                "its format version is \(version), but only version \(Self.version) is supported")
        }
        do {
            return try decoder.decode(Form.self, from: data)
        } catch {
            throw ResumeDataError("it is damaged: a member is missing or has the wrong type")
        }
    }

    private init(_ form: Form) throws(ResumeDataError) {
        guard form.method == "GET" else { throw ResumeDataError("its method is not GET") }
        guard form.offset > 0 else { throw ResumeDataError("its offset is not positive") }
        if let total = form.total, form.offset > total {
            throw ResumeDataError("its offset is beyond its total")
        }
        guard let checksum = ByteChecksum(text: form.check) else {
            throw ResumeDataError("its checksum is malformed")
        }
        url = try Self.url(form.url)
        validator = try Self.validator(form)
        total = form.total
        partial = PartialFile(
            path: try Self.path(form.path), length: form.offset, checksum: checksum
        )
    }

    private static func url(_ text: String) throws(ResumeDataError) -> URL {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host?.isEmpty == false,
            url.user == nil, url.password == nil
        else { throw ResumeDataError("its URL is not an HTTP URL, or contains credentials") }
        return url
    }

    private static func validator(_ form: Form) throws(ResumeDataError) -> ResumeValidator {
        if let tag = form.etag, form.lastModified == nil, ResumeValidator.isStrongEntityTag(tag) {
            return .entityTag(tag)
        }
        if let text = form.lastModified, form.etag == nil, HTTPDate(text) != nil {
            return .lastModified(text)
        }
        throw ResumeDataError("it does not contain exactly one strong validator")
    }

    /// Returns the path if it is one that a download could have left.
    ///
    /// Resume data must not direct writes to any other file.
    private static func path(_ text: String) throws(ResumeDataError) -> FilePath {
        let components = text.split(separator: "/")
        guard text.hasPrefix("/"), text.utf8.count < 4096, !text.utf8.contains(0),
            !components.contains(".."),
            text.utf8.last != UInt8(ascii: "/"),
            let path = try? FilePath(URL(fileURLWithPath: text, isDirectory: false), for: .open),
            path.string == text, path.name.hasPrefix(TemporaryFile.namePrefix)
        else { throw ResumeDataError("its path is not that of a partial download") }
        return path
    }
}
