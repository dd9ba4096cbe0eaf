import Bluebonnet
import Glibc

/// The body of a request, as its arguments describe it.
enum FetchBody: Equatable {
    /// A piece of a form.
    enum Source: Equatable {
        case text(String)
        case file(String)
        case standardInput

        init(_ argument: String) {
            if argument == "-" || argument == "@-" {
                self = .standardInput
            } else if argument.hasPrefix("@") {
                self = .file(String(argument.dropFirst()))
            } else {
                self = .text(argument)
            }
        }
    }

    case form([Source])
    case json([JSONItem])

    var contentType: String {
        switch self {
        case .form: "application/x-www-form-urlencoded"
        case .json: "application/json"
        }
    }

    /// Throws if the arguments alone show that no body can be made.
    func check() throws(UsageError) {
        if case .json(let items) = self { try JSONItem.check(items) }
    }

    /// Returns the bytes; reads files and standard input for them.
    func data() async throws(UsageError) -> Data {
        switch self {
        case .form(let sources):
            var pieces: [Data] = []
            for source in sources { pieces.append(try await Self.piece(of: source)) }
            return Data(pieces.joined(separator: Data("&".utf8)))
        case .json(let items): return try await JSONItem.document(of: items)
        }
    }

    /// Drops the line ends of files, as curl does: text files end in one.
    private static func piece(of source: Source) async throws(UsageError) -> Data {
        if case .text(let text) = source { return Data(text.utf8) }
        return try await contents(of: source).filter { $0 != 0x0A && $0 != 0x0D }
    }

    /// Returns the contents of a source.
    static func contents(of source: Source) async throws(UsageError) -> Data {
        switch source {
        case .text(let text): return Data(text.utf8)
        case .standardInput:
            if isatty(STDIN_FILENO) == 1 {
                Terminal.standardError.print("type the body, and end it with Ctrl-D:")
            }
            do {
                return try await PatientReader(descriptor: 0).bytes()
            } catch {
                throw UsageError("standard input could not be read: \(error.text)")
            }
        case .file(let path):
            do {
                return try Data(contentsOf: URL(filePath: path))
            } catch {
                let reason = FileManager.default.fileExists(atPath: path) ? "" : ": there is none"
                throw UsageError("the file \(path) could not be read\(reason)")
            }
        }
    }
}
