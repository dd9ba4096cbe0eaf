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
            #"api.get("x", parameters: untyped) { _ in }"#),
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
        .sync(#"api.get("x", options: .timeout(5).timout(6)) { _ in }"#, error: "timout"),
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
        .async(#"for try await piece in api.stream("x") { print(piece) }"#),
    ]
}
