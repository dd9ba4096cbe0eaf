extension FirstLine {
    /// Statements at the top level of `main.swift`, each of which is awaited.
    static let topLevel = [
        #"try await api.delete("x")"#,
        #"try await api.get("x", options: .timeout(1))"#,
        #"try await api.post("x", parameters: ["a": 1, "b": ["c": nil]])"#,
        #"try await api.put("x", parameters: user)"#,
        #"try await api.patch("x", parameters: ["a": 1])"#,
        #"try await api.head("x")"#,
        #"let u: User = try await api.get("x"); print(u)"#,
        #"try await api.upload(.file(file), to: "x")"#,
        #"try await api.upload(.data(Data("a".utf8)), to: "x", method: .put)"#,
        #"try await api.download("x", to: file)"#,
    ]
}
