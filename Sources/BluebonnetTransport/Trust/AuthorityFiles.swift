import CBluebonnet
import Foundation
import FoundationNetworking

/// The authorities that were read from files: once for all pools of the process, and again when a
/// file has changed.
///
/// Reading the system's takes tens of milliseconds. It lives on the loop thread.
final class AuthorityFiles {
    /// Where authorities and revocation lists come from.
    struct Source: Hashable {
        /// In PEM; nil for OpenSSL's own places.
        var authorities: String?
        /// In PEM; nil for none.
        var revocationLists: String?

        /// The file that a pool names, or the one that libcurl was built for.
        init(_ pool: Exchange.Pool) {
            authorities = pool.certificateAuthorityFile ?? Self.systemFile
            revocationLists = pool.revocationListFile
        }

        var isSystem: Bool { authorities == Self.systemFile && revocationLists == nil }

        private static let systemFile = bb_version_info()?.pointee.cainfo
            .map { String(cString: $0) }
    }

    private struct Entry {
        weak var authorities: Authorities?
        /// What the files were when they were read; nil for one that is missing.
        var stamps: [FileStatus?]
    }

    /// What pools have in use.
    private var entries: [Source: Entry] = [:]
    /// The system's, which the next pool will want too.
    private var system: Authorities?

    /// The authorities of a source as they are now, for the caller to hold on to.
    ///
    /// A file that cannot be read now, because it is being replaced for example, leaves what was read
    /// before.
    func authorities(of source: Source) throws(Exchange.Failure) -> Authorities {
        let stamps = [source.authorities, source.revocationLists].map(Self.status)
        let known = entries[source].flatMap { entry in entry.authorities.map { ($0, entry.stamps) }
        }
        if let known, known.1 == stamps { return known.0 }
        guard let authorities = Authorities(source) else {
            guard let known else { throw .unreadableAuthorities(source) }
            return known.0
        }
        entries = entries.filter { $0.value.authorities != nil }
        entries[source] = Entry(authorities: authorities, stamps: stamps)
        if source.isSystem { system = authorities }
        return authorities
    }

    private static func status(_ path: String?) -> FileStatus? {
        path.flatMap { try? FileSystem.linux.statusOfPath($0, true) }
    }
}

/// Authorities as OpenSSL holds them.
///
/// It lives on the loop thread.
final class Authorities {
    let pointer: OpaquePointer

    /// Nil when a file cannot be read, or has nothing in it that belongs there.
    init?(_ source: AuthorityFiles.Source) {
        guard let pointer = bb_authorities_load(source.authorities, source.revocationLists) else {
            return nil
        }
        self.pointer = pointer
    }

    deinit {
        bb_authorities_free(pointer)
    }
}

extension Exchange.Failure {
    fileprivate static func unreadableAuthorities(_ source: AuthorityFiles.Source) -> Self {
        let lists = source.revocationLists.map { ", or the revocation lists of \($0)," } ?? ""
        return Self(
            .secureConnectionFailed,
            message: """
                the certificate authorities of \(source.authorities ?? "this machine")\(lists) cannot \
                be read; give a file in PEM that this process may read, or install ca-certificates
                """
        )
    }
}
