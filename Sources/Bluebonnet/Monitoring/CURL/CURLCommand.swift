import BluebonnetTransport
import Foundation

/// A request as a command line for `curl`.
///
/// Pasted into a POSIX shell without its `$ `, it sends the same method, URL, header fields and
/// body. All text is in single quotes, which prevent expansion. A body that is not plain text comes
/// from `printf`, and so do control characters elsewhere.
package struct CURLCommand {
    enum Body {
        case data(Data)
        case file(path: String)
        /// A body that is not shown. The reason takes the place of a file name, so that the command
        /// fails before it sends anything.
        case missing(reason: String)
    }

    /// A credential that answers challenges.
    struct Login {
        var user: String
        var password: String
        var isDigest: Bool
    }

    /// The text for a request that cannot be built.
    package static let unavailable = "$ curl command could not be created"

    /// The maximum size in bytes of a body that is passed as an argument.
    ///
    /// Linux limits an argument of a program to 128 KiB. `printf` is built into the shell and has
    /// no limit.
    private static let longestArgument = 100_000
    /// The maximum size in bytes of a `-b` option, because curl refuses longer ones.
    private static let longestCookieOption = 8000
    /// The minimum size in bytes of a body for which some versions of curl wait for `100 Continue`.
    private static let smallestExpectingBody = 1024

    var method: String
    var url: String
    var fields: [Exchange.Field] = []
    var login: Login?
    var body: Body?

    /// The command, with one option per line, which begins with a tab as in Alamofire.
    var text: String {
        let (input, bodyOptions) = bodyText
        let options =
            urlOptions + [methodOption] + loginOptions + fieldOptions + bodyOptions
            + [url.shellQuoted]
        return "$ \(input)curl -v" + options.map { " \\\n\t\($0)" }.joined()
    }

    // MARK: Method and URL

    private var methodOption: String {
        // With `-X HEAD`, curl would wait for a body.
        if method == "HEAD", body == nil { return "-I" }
        let isPlain = method.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return "-X \(isPlain ? method : method.shellQuoted)"
    }

    private var urlOptions: [String] {
        var options: [String] = []
        // curl would expand brackets and braces into a set of URLs.
        if url.utf8.contains(where: { "[]{}\\".utf8.contains($0) }) { options.append("-g") }
        // curl would resolve dot segments, which can be part of a signed name.
        let path = url.prefix { $0 != "?" }.lowercased()
        if path.contains("/.") || path.contains("/%2e") { options.append("--path-as-is") }
        return options
    }

    // MARK: Fields

    private var loginOptions: [String] {
        guard let login else { return [] }
        let option = "-u \("\(login.user):\(login.password)".shellQuoted)"
        return login.isDigest ? ["--digest", option] : [option]
    }

    private var fieldOptions: [String] {
        var options = fields.map(Self.option)
        if !hasField("User-Agent") { options.append("-H 'User-Agent:'") }
        return options
    }

    private static func option(for field: Exchange.Field) -> String {
        // Without an equals sign, `-b` treats its argument as a file name.
        if field.name.caseInsensitiveEquals("Cookie"), field.value.utf8.contains(UInt8(ascii: "=")),
            field.value.utf8.first != UInt8(ascii: "@"),
            field.value.utf8.count <= longestCookieOption
        {
            return "-b \(field.value.shellQuoted)"
        }
        // curl omits a field without a value unless a semicolon replaces the colon.
        let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
        return "-H \(line.shellQuoted)"
    }

    private func hasField(_ name: String) -> Bool {
        fields.contains { $0.name.caseInsensitiveEquals(name) }
    }

    // MARK: Body

    /// The input before the command, and the options for the body.
    private var bodyText: (input: String, options: [String]) {
        switch body {
        case nil: ("", [])
        case .data(let data): text(of: data)
        case .file(let path):
            ("", ["--data-binary \("@\(path)".shellQuoted)"] + fieldsToRemove(nil))
        case .missing(let reason): ("", ["-T \("<\(reason)>".shellQuoted)"])
        }
    }

    private func text(of data: Data) -> (input: String, options: [String]) {
        let fields = fieldsToRemove(data.count)
        guard data.count <= Self.longestArgument, let text = data.plainText else {
            return ("printf '\(data.printfFormat)' | ", ["--data-binary @-"] + fields)
        }
        // After `--data-binary`, an `@` starts a file name.
        let option = text.utf8.first == UInt8(ascii: "@") ? "--data-raw" : "--data-binary"
        return ("", ["\(option) \(text.shellQuoted)"] + fields)
    }

    /// Returns the options that keep curl from adding its own fields for a body.
    private func fieldsToRemove(_ bodySize: Int?) -> [String] {
        var options: [String] = []
        if !hasField("Content-Type") { options.append("-H 'Content-Type:'") }
        if bodySize ?? .max >= Self.smallestExpectingBody, !hasField("Expect") {
            options.append("-H 'Expect:'")
        }
        return options
    }
}
