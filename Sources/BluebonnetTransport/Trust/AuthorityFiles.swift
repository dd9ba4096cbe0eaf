import CBluebonnet
import Foundation
import FoundationNetworking

/// A cache of the authorities that were read from files.
///
/// A file is read once for all pools of the process, and again when it has changed. Reading the
/// system's authorities takes tens of milliseconds. The cache lives on the loop thread.
final class AuthorityFiles {
    /// The files with authorities and revocation lists.
    struct Source: Hashable {
        /// The path of a PEM file, or nil for OpenSSL's default locations.
        var authorities: String?
        /// The path of a PEM file, or nil for none.
        var revocationLists: String?

        /// Creates the source of a pool, which defaults to the path built into libcurl.
        init(_ pool: Exchange.Pool) {
            authorities = pool.certificateAuthorityFile ?? Self.systemFile
            revocationLists = pool.revocationListFile
        }

        /// Creates the source of a TLS proxy, which defaults to the path built into libcurl.
        init(_ proxy: Exchange.Route.Proxy) {
            authorities = proxy.certificateAuthorityFile ?? Self.systemFile
        }

        var isSystem: Bool { authorities == Self.systemFile && revocationLists == nil }

        private static let systemFile = bb_version_info()?.pointee.cainfo
            .map { String(cString: $0) }
    }

    private struct Entry {
        weak var authorities: Authorities?
        /// The status of each file when it was read, or nil for a missing one.
        var stamps: [FileStatus?]
    }

    /// The authorities that pools use.
    private var entries: [Source: Entry] = [:]
    /// The system's authorities, kept for the next pool.
    private var system: Authorities?

    /// Returns the current authorities of a source, which the caller must retain.
    ///
    /// If a file cannot be read, for example because it is being replaced, this returns the
    /// previous authorities.
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

/// Authorities in OpenSSL's form.
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
