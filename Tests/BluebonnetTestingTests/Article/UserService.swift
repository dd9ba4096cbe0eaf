import Bluebonnet

struct User: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

struct UserService: Sendable {
    let api: HTTPSessionManager

    /// Returns nil for an unknown user.
    func user(_ id: Int) async throws(BluebonnetError) -> User? {
        do {
            return try await api.get("users/\(id)", as: User.self)
        } catch .unacceptableStatus(404, _) {
            return nil
        }
    }

    func add(name: String) async throws(BluebonnetError) -> User {
        try await api.post("users", parameters: ["name": name])
    }

    /// Continues an interrupted download once.
    func savePicture(of id: Int, to file: URL) async throws(BluebonnetError) {
        let path = "users/\(id)/picture"
        do {
            try await api.download(path, to: file)
        } catch {
            guard let resumeData = error.resumeData else { throw error }
            try await api.download(path, resumingWith: resumeData, to: file)
        }
    }
}
