import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Glibc
import Testing

@Suite("A process without file descriptors", .timeLimit(.minutes(5)))
struct FileLimitTests {
    /// Takes every descriptor that there may be.
    private static func takeAll() -> [Int32] {
        var taken: [Int32] = []
        while case let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC), descriptor >= 0 {
            taken.append(descriptor)
        }
        return taken
    }

    private static func run(_ base: String, _ other: String) async throws {
        let limit = try #require(ProcessLimit(.openFiles, 200))
        // The first task of all: not even the loop has its descriptors.
        var taken = takeAll()
        let manager = HTTPSessionManager(baseURL: URL(string: base))
        func get(_ url: String) async throws -> BluebonnetError? {
            let request = URLRequest(url: try #require(URL(string: url)))
            return await manager.response(for: request, serializer: .http).error
        }
        let first = try await get(base + "/text")
        #expect(
            "\(first as Any)".contains("could not open its file descriptors"), "\(first as Any)")
        taken.forEach { close($0) }
        #expect(try await get(base + "/text") == nil)

        taken = takeAll()
        for url in [other + "/text", other.replacing("127.0.0.1", with: "localhost") + "/text"] {
            let errors = await withTaskGroup(of: BluebonnetError?.self) { group in
                for _ in 0..<8 { group.addTask { try? await get(url) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let codes = Set(errors.compactMap { $0?.urlError.code })
            #expect(errors.count == 8 && !errors.contains { $0 == nil })
            #expect(codes.isSubset(of: [.cannotConnectToHost, .cannotFindHost]), "\(errors)")
            let text = "\(errors)"
            #expect(
                url.contains("localhost") || text.contains("no socket could be opened"), "\(text)")
            #expect(errors.allSatisfy { "\($0 as Any)".contains("Too many open files") }, "\(text)")
        }
        // A kept connection takes none.
        #expect(try await get(base + "/text") == nil)
        taken.forEach { close($0) }
        #expect(try await get(other + "/text") == nil)
        limit.lift()
        #expect(manager.tasks.isEmpty)
    }

    @Test("fails what needs one, serves kept connections, and recovers (fault 87)")
    func files() async throws {
        let (server, second) = (try FixtureServer(), try FixtureServer())
        let (base, other) = (server.baseURL, second.baseURL)
        await #expect(processExitsWith: .success) {
            [base = base as String, other = other as String] in
            try await Self.run(base, other)
        }
        #expect(server.requestCount == 2 && second.requestCount == 1)
    }

    private static func manager(_ route: Exchange.Route, _ authority: String) -> SessionManager {
        var configuration = SessionConfiguration()
        configuration.route = route
        let manager = SessionManager(configuration: configuration)
        manager.securityPolicy.certificateAuthorities = URL(fileURLWithPath: authority)
        return manager
    }

    /// Tries what reads a file of authorities, with a descriptor more each time, until there is one for
    /// the socket and none for the file.
    private static func runWithoutFiles(_ url: String, _ authority: String) async throws {
        let request = URLRequest(url: try #require(URL(string: url)))
        var proxy = Exchange.Route.Proxy(
            .https, host: "127.0.0.1", port: try #require(request.url?.port))
        // For the library these are other files, which it has not read yet.
        proxy.certificateAuthorityFile = authority.replacing("/ca.pem", with: "/././ca.pem")
        let unread = authority.replacing("/ca.pem", with: "/./ca.pem")
        // The loop and its threads have what they need.
        let first = manager(Exchange.Route(), authority)
        #expect(await first.response(for: request, serializer: .http).error == nil)
        let limit = try #require(ProcessLimit(.openFiles, 200))
        // What is closed with a manager must not come in between.
        var managers = [first]
        for route in [Exchange.Route(), Exchange.Route(proxy: proxy)] {
            var text = "no socket could be opened"
            for spare in 1...8 where text.contains("no socket could be opened") {
                let manager = manager(route, unread)
                managers.append(manager)
                var taken = takeAll()
                for descriptor in taken.suffix(spare) { close(descriptor) }
                taken.removeLast(spare)
                let error = await manager.response(for: request, serializer: .http).error
                taken.forEach { close($0) }
                text = "\(error as Any)"
                guard case .transport(let failure, _)? = error else { continue }
                #expect(failure.systemErrorNumber == EMFILE, "\(text)")
                guard failure.code != .cannotConnectToHost else { continue }
                #expect(failure.code == .secureConnectionFailed, "\(text)")
            }
            #expect(text.contains("the certificate authorities of"), "\(text)")
            #expect(text.contains("Too many open files; raise the process's limit"), "\(text)")
        }
        limit.lift()
        withExtendedLifetime(managers) {}
    }

    @Test(
        "says of a file of authorities that no more files may be open, and not that it is unreadable"
    )
    func authorities() async throws {
        let server = try await OpenSSLServer(for: "IP:127.0.0.1")
        let url = "https://127.0.0.1:\(server.port)/"
        await #expect(processExitsWith: .success) {
            [url = url as String, authority = server.authority as String] in
            try await Self.runWithoutFiles(url, authority)
        }
    }

    @Test("says so of files of identities, certificates and cookies")
    func otherFiles() async throws {
        await #expect(processExitsWith: .success) {
            let file = URL(fileURLWithPath: NSTemporaryDirectory() + "bluebonnet-\(UUID())")
            try Data("text".utf8).write(to: file)
            defer { unlink(file.path) }
            let limit = try #require(ProcessLimit(.openFiles, 200))
            let taken = Self.takeAll()
            let errors: [(any Error)?] = [
                #expect(throws: (any Error).self) { try ClientIdentity(certificateFile: file) },
                #expect(throws: (any Error).self) { try ClientIdentity(pkcs12File: file) },
                #expect(throws: (any Error).self) {
                    try Certificate.certificates(contentsOf: file)
                },
                #expect(throws: (any Error).self) { try CookieJar(contentsOf: file) },
            ]
            taken.forEach { close($0) }
            limit.lift()
            for error in errors {
                let text = "\(error as Any)"
                #expect(text.contains("Too many open files; raise the process's limit"), "\(text)")
                #expect(text.contains(file.path), "\(text)")
            }
        }
    }
}
