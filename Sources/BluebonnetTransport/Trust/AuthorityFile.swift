import Foundation
import FoundationNetworking

/// A PEM file of certificate authorities or revocation lists.
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

    /// Returns the failure of an exchange if the system cannot read the file.
    func unreadable(_ error: SystemError) -> Exchange.Failure {
        Exchange.Failure(
            .secureConnectionFailed,
            message: """
                the \(kind.rawValue) of \(path) cannot be read: \(error.explained(advice: advice))
                """,
            systemErrorNumber: error.number
        )
    }

    /// The failure of an exchange if the file has no usable contents.
    var unusable: Exchange.Failure {
        Exchange.Failure(
            .secureConnectionFailed,
            message: "\(path) contains no \(kind.rawValue) in PEM, or damaged ones; \(advice)"
        )
    }

    private var advice: String {
        switch kind {
        case .authorities:
            "use a PEM file that this process can read, or install ca-certificates"
        case .revocationLists: "use a PEM file that this process can read"
        }
    }
}
