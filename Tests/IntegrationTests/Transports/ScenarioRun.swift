import Bluebonnet
import Foundation

/// One run of a scenario on one transport: what its steps use, and their results.
final class ScenarioRun: Sendable {
    let api: HTTPSessionManager
    let ports: ScenarioPorts
    /// A directory for files.
    let folder: URL
    let witness = ScenarioWitness()
    private let cookies: CookieStorage

    init(
        _ scenario: ServerScenario, on transport: any Transport, at ports: ScenarioPorts,
        in folder: URL
    ) {
        (self.ports, self.folder, cookies) = (ports, folder, CookieStorage())
        var configuration = SessionConfiguration()
        configuration.cookies = .shared(cookies)
        configuration.postsNotifications = true
        scenario.configure(&configuration)
        api = HTTPSessionManager(
            baseURL: URL(string: ports.mainURL), configuration: configuration, transport: transport)
        api.addMonitor { [witness] events in events.forEach(witness.take) }
    }

    /// Performs the steps and returns all observed results.
    func seen(of scenario: ServerScenario) async throws -> [String] {
        let names = NotificationWitness()
        let observer = NotificationCenter.default.addObserver(
            forName: nil, object: nil, queue: nil
        ) { [port = Int(ports.main)] notification in
            // Other tests run at the same time, but not on its port.
            guard let task = notification.object as? SessionTask,
                task.originalRequest?.url?.port == port
            else { return }
            names.add(notification.name.rawValue, of: task)
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try await scenario.steps(self)
        await api.shutdown()
        let kept = cookies.cookies.map { "cookie \($0.name)=\($0.value) \($0.domain) \($0.path)" }
        let sorted = kept.sorted().map { $0.replacing(/last_nonce=\w+/, with: "last_nonce") }
        return witness.all + names.all + sorted
    }

    // MARK: Steps

    /// Sends a request without a body.
    @discardableResult
    func send(
        _ path: String, _ method: HTTPMethod = .get, headers: HTTPHeaders? = nil,
        serializer: some ResponseSerializer = HTTPResponseSerializer()
    ) async -> BluebonnetError? {
        let response = await api.response(method, path, headers: headers, serializer: serializer)
        witness.note(response)
        return response.error
    }

    /// Sends a request with parameters, which become the body if the method has one.
    func send(
        _ path: String, _ method: HTTPMethod, parameters: Parameters
    ) async {
        let response = await api.response(
            method, path, parameters: parameters, serializer: HTTPResponseSerializer())
        witness.note(response)
    }

    /// Sends a body.
    func upload(
        _ body: RequestBody, to path: String, _ method: HTTPMethod = .post,
        headers: HTTPHeaders? = ["Content-Type": "text/plain"]
    ) async {
        await withCheckedContinuation { continuation in
            api.upload(
                body, to: path, method: method, headers: headers,
                serializer: HTTPResponseSerializer()
            ) { [witness] response in
                witness.note(response)
                continuation.resume()
            }
        }
    }

    /// Downloads to a file, and returns the resume data if it broke.
    @discardableResult
    func download(_ path: String, resumingWith data: Data? = nil) async throws -> Data? {
        let file = folder.appendingPathComponent("download")
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            _ = try await api.download(
                path, resumingWith: data, to: file, options: .file(.keepsPartialFile))
            witness.note("file \(try Data(contentsOf: file).count) bytes")
            return nil
        } catch {
            witness.note("no file, \(ScenarioWitness.words(of: error as? BluebonnetError))")
            return (error as? BluebonnetError)?.resumeData
        }
    }
}
