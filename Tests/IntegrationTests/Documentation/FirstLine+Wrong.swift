extension FirstLine {
    /// Lines that are an error.
    static let wrong: [FirstLine] = [
        .sync(
            #"""
            api.get("x") { response in
             switch response.result {
             case .succes(let v): print(v as Any)
             case .failure(let e): print(e)
             }
            }
            """#),
        .sync(
            #"api.get("x") { response in print(response.valeu) }"#),
        .sync(
            #"api.get("x", parametres: ["a": 1]) { _ in }"#),
        .sync(
            #"api.get("x", parameters: untyped) { _ in }"#, error: "untyped:"),
        .sync(
            #"api.get(5) { _ in }"#),
        .sync(
            #"api.get("x", options: .timout(5)) { _ in }"#),
        .sync(
            #"api.get("x", options: [.timeout("5")]) { _ in }"#),
        .sync(
            #"api.get("x", options: 5) { _ in }"#),
        .sync(
            #"api.get("x", serializer: .xml) { _ in }"#),
        .sync(
            #"api.get("x", serializer: 5) { _ in }"#),
        .sync(
            #"api.get("x", as: Choice.self) { _ in }"#),
        .sync(
            #"api.get("x") { a, b in }"#),
        .sync(
            #"api.get("x") { response in let u: User = response.value }"#),
        .sync(
            #"api.get("x") { response in let x: Int = "a"; print(x) }"#),
        .sync(
            #"api.get("x", headers: ["A": 1]) { _ in }"#),
        .sync(
            #"api.fetch("x") { _ in }"#),
        .sync(
            #"let u: User = api.get("x")"#),
        .sync(
            #"let u: User = try await api.get("x"); print(u)"#),
        .sync(
            #"api.get("x", completionHandler: nil)"#),
        .sync(
            #"api.get()"#),
        .sync(
            #"api.get("x", options: .timeout(5), parameters: ["a": 1])"#),
        .async(
            #"api.get("x")"#),
        .async(
            #"let t = api.get("x"); t.cancel()"#),
        .async(
            #"let u: Choice = try await api.get("x"); print(u)"#),
        .async(
            #"let u: User = await api.get("x"); print(u)"#),
        .async(
            #"let u = try await api.get("x", as: User); print(u)"#),
        .async(
            #"let u = try await api.get("x").name"#),
        .async(
            #"let u: User = try await api.get("x", parameters: ["a": Choice.one, 1: 2]); print(u)"#),
        .async(
            #"let u: User = try await api.get("x", options: .timout(5)); print(u)"#),
        .async(
            #"do { try await api.get("x") } catch .canceled { } "#),
        .async(
            #"try await api.post("x", body: user)"#),
        .async(
            #"let u: User = try await api.get("x") { _ in }"#),
        .async(
            #"""
            api.get("x") { response in
             switch response.result {
             case .succes(let v): print(v as Any)
             case .failure(let e): print(e)
             }
            }
            """#),
        .sync(
            #"""
            api.post("x", parameters: user) { response in
             switch response.result {
             case .succes(let v): print(v as Any)
             case .failure(let e): print(e)
             }
            }
            """#),
        .sync(
            #"""
            api.get("x", as: User.self) { response in
             switch response.result {
             case .success(let v): print(v.nme)
             case .failure(let e): print(e)
             }
            }
            """#),
        .sync(
            #"""
            api.get("x") { response in
             let a = response.value
             print(undefinedName)
            }
            """#),
        .sync(
            #"""
            api.get("x", serializer: .decodable(User.self)) { response in
             guard let u = response.value else { return }
             print(u.nme)
            }
            """#),
        .sync(
            #"api.post("x", parameters: ["a": undefinedName]) { _ in }"#),
        .sync(
            #"api.post("x", parameters: ["a": 1, "b": ["c": undefinedName, "d": nil]]) { r in print(r) }"#
        ),
        .sync(
            #"api.get("x") { response in try response.result.get() }"#),
        .sync(
            #"api.get("x") { response in await Task.yield() }"#),
        .sync(
            #"var c = 0; api.get("x") { _ in c += 1 }; print(c)"#),
        .sync(
            #"class K {}; let k = K(); api.get("x") { _ in print(k) }"#),

        .sync(#"api.get("x", options: .redirects(.none)) { _ in }"#),
        .sync(#"api.get("x", options: .deadline("2")) { _ in }"#, error: "'String'"),
        .sync(#"api.get("x", options: [.timeout(5), .timout(6)]) { _ in }"#, error: "timout"),
        .sync(#"api.get("x", options: .timeout(5).priority(1)) { _ in }"#, error: "priority"),
        .sync(
            #"api.get("x", parameters: ["a": 1], option: .timeout(5)) { _ in }"#, error: "option"),
        .sync(#"api.upload(file, to: 7) { _ in }"#, error: "Int"),
        .sync(#"api.upload(.file("/tmp/x"), to: "x") { _ in }"#, error: "'String'"),
        .sync(#"api.download("x", to: "/tmp/x") { _ in }"#),
        .async(#"let u: User = try await api.upload(.fil(file), to: "x"); print(u)"#, error: "fil"),
        .sync(#"api.head("x") { r in print(r.vlue) }"#, error: "vlue"),
        .async(#"let h: Data = try await api.head("x"); print(h)"#),
        .sync(#"api.json.encoder.date = .iso8601"#, error: "date"),
        .sync(#"api.post("x", parameters: [user: 1]) { _ in }"#),
        .sync(#"api.get("x", as: User.self, serializer: .json) { _ in }"#),
        .async(
            #"let r = try await api.response(.get, "x", serializer: .jsn); print(r)"#, error: "jsn"),

        // Calls that are not awaited and have no handler
        .sync(#"api.get("x")"#, error: "async"),
        .sync(#"api.post("x")"#, error: "async"),
        .sync(#"let t = api.get("x"); t.cancel()"#),
        .sync(#"api.post("x", parameters: ["a": 1, "b": ["c": nil]])"#, error: "async"),
        .sync(#"api.post("x", parameters: ["a": nil])"#, error: "async"),
        .sync(
            #"api.post("x", parameters: ["a": o, "u": user, "d": Date(), "url": URL(fileURLWithPath: "/")])"#,
            error: "async"),
        .sync(#"api.post("x", parameters: [:])"#, error: "async"),
        .sync(#"api.post("x", parameters: nil)"#, error: "async"),
        .sync(#"api.post("x", parameters: [user, user])"#, error: "async"),
        .sync(#"api.post("x", parameters: ["users": [user]])"#, error: "async"),
        .sync(#"api.post("x", parameters: Parameters(dict))"#, error: "async"),
        .sync(#"api.post("x", parameters: try Parameters(untyped: untyped))"#, error: "async"),
        .sync(
            #"let p: [String: String] = ["a": "b"]; api.get("x", parameters: p)"#, error: "async"),
        .sync(
            #"var p: Parameters = ["page": 1]; p["b"] = ["c": 1, "d": "x"]; p["n"] = nil; p["v"] = n; api.get("x", parameters: p)"#,
            error: "async"),
        .sync(#"api.delete("x/1")"#, error: "async"),
        .async(#"let t: DataTask = api.get("x"); t.cancel()"#, error: "DataTask"),
        .sync(#"let t = api.download("x", parameters: ["v": 2], to: file); t.cancel()"#),
        .sync(#"api.head("x", parameters: ["a": 1], headers: ["A": "b"])"#, error: "async"),
        .sync(#"let tasks = (1...3).map { api.get("x/\($0)") }; tasks.forEach { $0.cancel() }"#),
        .async(
            #"let t: [DataTask] = (1...3).map { api.get("x/\($0)") }; t.forEach { $0.cancel() }"#),
        .async(#"let ids = [1, 2]; ids.forEach { api.post("x/\($0)", parameters: ["a": $0]) }"#),
        .async(
            #"let t: [DownloadTask] = (1...3).map { api.download("x/\($0)", to: file) }; print(t)"#),
        .async(
            #"let tasks = (1...3).map { number -> DataTask in api.get("x/\(number)") }; tasks.forEach { $0.cancel() }"#,
            error: "DataTask"),
        .sync(#"api.upload(.file(file), to: "x")"#, error: "async"),
        .sync(#"api.download("x", to: file)"#, error: "async"),
        .async(#"api.delete("x/1")"#, error: "async"),
        .async(#"api.upload(.file(file), to: "x")"#, error: "async"),
        // Dictionaries with values of several types
        .sync(#"api.post("x", parameters: dict)"#, error: "Parameters(dictionary)"),
        .sync(
            #"api.post("x", parameters: dict) { r in print(r.value as Any) }"#,
            error: "Parameters(dictionary)"),
        .async(
            #"let u: User = try await api.post("x", parameters: dict); print(u)"#,
            error: "Parameters(dictionary)"),
        .sync(
            #"Task { try? await api.put("x", parameters: dict) }"#, error: "Parameters(dictionary)"),
        .sync(
            #"api.put("x", parameters: untyped, serializer: .string) { r in print(r) }"#,
            error: "'Parameters'"),
        .sync(
            #"api.patch("x", parameters: untyped, as: User.self) { r in print(r) }"#,
            error: "untyped:"),
        .async(#"try await api.delete("x", parameters: untyped)"#, error: "untyped:"),
        .async(
            #"let h = try await api.head("x", parameters: dict); print(h)"#,
            error: "Parameters(dictionary)"),
        .async(
            #"let u = try await api.get("x", parameters: untyped, as: User.self); print(u)"#,
            error: "untyped:"),
        // The last one, since Swift 6.3 crashes after it has reported its errors.
        .async(#"for try await piece in api.stream("x") { print(piece) }"#),
    ]
}
