import Bluebonnet

/// The file of a cassette.
struct CassetteFile {
    static let version = 1

    let url: URL

    /// The text of a cassette, which depends on nothing but the interactions.
    static func text(of interactions: [Interaction]) -> String {
        let cassette = JSONValue.object([
            "cassetteVersion": .number(version),
            "interactions": JSONValue(content: .array(interactions.map(\.json))),
        ])
        return cassette.prettyText + "\n"
    }

    /// Replaces the file as a whole, and makes its folder.
    func write(_ interactions: [Interaction]) throws(CassetteError) {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            // Written beside it, and renamed.
            try Data(Self.text(of: interactions).utf8).write(to: url, options: .atomic)
        } catch {
            throw CassetteError(url, ["the cassette cannot be written: \(error.reason)"])
        }
    }

    /// Nil if there is no such file.
    func read() throws(CassetteError) -> [Interaction]? {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            throw CassetteError(url, ["the cassette cannot be read: \(error.reason)"])
        }
        do throws(JSONReader.Fault) {
            return try CassetteReader.interactions(in: JSONReader.read(data))
        } catch {
            throw CassetteError(
                url, line: error.line,
                [
                    "\(error.message). Mend the line, or record the cassette anew "
                        + "(\(CassetteMode.variable)=record-anew)"
                ])
        }
    }
}

extension Error {
    /// What the system says, without the path, which the error has.
    fileprivate var reason: String {
        let error = self as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        return (cause ?? error).localizedDescription
    }
}
