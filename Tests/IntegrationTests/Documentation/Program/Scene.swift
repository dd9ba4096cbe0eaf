import Bluebonnet

/// What snippets take for granted, created again for each of them.
struct Scene {
    let api: HTTPSessionManager
    var configuration = SessionConfiguration()
    let directory: URL
    let file: URL

    init(server: URL) throws {
        api = HTTPSessionManager(baseURL: server.appending(path: "v1/"))
        directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        file = directory.appending(path: "photo.jpg")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(repeating: 7, count: 20_000).write(to: file)
    }

    static let current = Locked<Scene?>(nil)
}

/// Returns a part of the scene; there always is one while a snippet runs.
private var scene: Scene {
    guard let scene = Scene.current.withLock({ $0 }) else { fatalError("no snippet is running") }
    return scene
}

var api: HTTPSessionManager { scene.api }
var manager: HTTPSessionManager { api }
var configuration: SessionConfiguration {
    get { scene.configuration }
    set { Scene.current.withLock { $0?.configuration = newValue } }
}
var url: URL { api.url(for: "users/7") ?? URL(filePath: "/") }
var file: URL { scene.file }
var directory: URL { scene.directory }
var request: URLRequest { URLRequest(url: url) }
