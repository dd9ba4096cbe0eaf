import Bluebonnet

/// The file of a cassette.
struct CassetteFile {
    static let version = 1

    let url: URL

    /// Returns the text of a cassette, which depends only on the interactions.
    static func text(of interactions: [Interaction]) -> String {
        let cassette = JSONValue.object([
            "cassetteVersion": .number(version),
            "interactions": JSONValue(content: .array(interactions.map(\.json))),
        ])
        return cassette.prettyText + "\n"
    }

    /// Replaces the file atomically, and creates its folder.
    ///
    /// The permissions of an existing file are kept. Of a symbolic link, the file that it leads to
    /// is replaced.
    func write(_ interactions: [Interaction]) throws(CassetteError) {
        let place = url.resolvingSymlinksInPath()
        let attributes = try? FileManager.default.attributesOfItem(atPath: place.path)
        let type = attributes?[.type] as? FileAttributeType
        // Replacing a directory fails with the system's own reason.
        guard [nil, .typeRegular, .typeDirectory].contains(type) else {
            throw CassetteError(
                url,
                [
                    "the cassette cannot be written: only regular files are replaced; "
                        + "remove the file, or choose another name"
                ])
        }
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(Self.text(of: interactions).utf8).write(to: place, options: .atomic)
            // Foundation on Linux does not keep the mode.
            if let mode = attributes?[.posixPermissions] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode], ofItemAtPath: place.path)
            }
        } catch {
            throw CassetteError(url, ["the cassette cannot be written: \(error.reason)"])
        }
    }

    /// Reads the interactions; returns nil if the file does not exist.
    func read() throws(CassetteError) -> [Interaction]? {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            throw CassetteError(url, ["the cassette cannot be read: \(error.reason)"])
        }
        do throws(CassetteJSONReader.Fault) {
            return try CassetteReader.interactions(in: CassetteJSONReader.read(data))
        } catch {
            throw CassetteError(
                url, line: error.line,
                [
                    "\(error.message). Fix the line, or record the cassette again "
                        + "(\(CassetteMode.variable)=record-anew)"
                ])
        }
    }
}

extension Error {
    /// The system's description of the error, without the path that the cassette error contains.
    fileprivate var reason: String {
        let error = self as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        return (cause ?? error).localizedDescription
    }
}
