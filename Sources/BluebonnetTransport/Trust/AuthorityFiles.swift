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

        /// The file of a proxy with TLS, or the one that libcurl was built for.
        init(_ proxy: Exchange.Route.Proxy) {
            authorities = proxy.certificateAuthorityFile ?? Self.systemFile
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
        let authorities: Authorities
        do throws(Exchange.Failure) {
            authorities = try Authorities(source)
        } catch {
            guard let known else { throw error }
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

    /// Reads the files of a source.
    init(_ source: AuthorityFiles.Source) throws(Exchange.Failure) {
        let file = source.authorities.map { AuthorityFile(path: $0, kind: .authorities) }
        pointer = try Self.read(file)
        guard let path = source.revocationLists else {
            bb_authorities_allow_partial_chains(pointer)
            return
        }
        let lists = AuthorityFile(path: path, kind: .revocationLists)
        let areGood = try lists.contents().withBytes {
            bb_authorities_check_revocations(pointer, $0)
        }
        guard areGood == 1 else { throw lists.unusable }
    }

    private static func read(_ file: AuthorityFile?) throws(Exchange.Failure) -> OpaquePointer {
        guard let file else {
            guard let pointer = bb_authorities_read(nil) else { throw .noMemory }
            return pointer
        }
        let pointer = try file.contents().withBytes { bytes in
            withUnsafePointer(to: bytes) { bb_authorities_read($0) }
        }
        guard let pointer else { throw file.unusable }
        return pointer
    }

    deinit {
        bb_authorities_free(pointer)
    }
}
