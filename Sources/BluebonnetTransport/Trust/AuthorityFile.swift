import Foundation
import FoundationNetworking

/// A file in PEM that decides which servers are trusted.
struct AuthorityFile {
    enum Kind: String {
        case authorities = "certificate authorities"
        case revocationLists = "revocation lists"
    }

    let path: String
    let kind: Kind

    func contents() throws(Exchange.Failure) -> Data {
        do throws(SystemError) {
            return try FileContents.read(path)
        } catch {
            throw unreadable(error)
        }
    }

    /// The failure where the system does not let the file be read.
    func unreadable(_ error: SystemError) -> Exchange.Failure {
        Exchange.Failure(
            .secureConnectionFailed,
            message: """
                the \(kind.rawValue) of \(path) cannot be read: \(error.explained(advice: advice))
                """,
            systemErrorNumber: error.number
        )
    }

    /// The failure where nothing in the file is of use.
    var unusable: Exchange.Failure {
        Exchange.Failure(
            .secureConnectionFailed,
            message: "there are no \(kind.rawValue) in PEM in \(path), or damaged ones; \(advice)"
        )
    }

    private var advice: String {
        switch kind {
        case .authorities:
            "give a file in PEM that this process may read, or install ca-certificates"
        case .revocationLists: "give a file in PEM that this process may read"
        }
    }
}
