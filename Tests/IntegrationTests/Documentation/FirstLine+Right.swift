extension FirstLine {
    /// Lines that compile and do what they say.
    static let right: [FirstLine] = [
        .sync(
            #"api.dataTask(.get, "x").resume()"#),
        .sync(
            #"api.dataTask(.post, "x", parameters: user).resume()"#),
        .sync(
            #"let t = api.dataTask(.get, "x"); t.resume(); t.cancel()"#),
        .sync(
            #"api.get("x") { response in print(response) }"#),
        .sync(
            #"api.get("x") { response in print(response.value as Any, response.head?.statusCode ?? 0) }"#
        ),
        .sync(
            #"api.get("x") { print($0.error as Any) }"#),
        .sync(
            #"""
            api.get("x") { response in
             switch response.result {
             case .success(let v): print(v as Any)
             case .failure(let e): print(e)
             }
            }
            """#),
        .sync(
            #"api.get("x", parameters: ["q": "a"]) { _ in }"#),
        .sync(
            #"api.get("x", parameters: ["q": "a", "n": n]) { _ in }"#),
        .sync(
            #"api.dataTask(.post, "x", parameters: ["a": 1, "b": ["c": nil]]).resume()"#),
        .sync(
            #"api.post("x", parameters: ["a": 1, "b": ["c": nil, "d": [1, "x", true, ["e": n]]]]) { r in print(r) }"#
        ),
        .sync(
            #"api.post("x", parameters: ["a": nil]) { _ in }"#),
        .sync(
            #"api.post("x", parameters: ["a": o, "u": user, "d": Date(), "url": URL(fileURLWithPath: "/")]) { _ in }"#
        ),
        .sync(
            #"api.post("x", parameters: [:]) { _ in }"#),
        .sync(
            #"api.post("x", parameters: nil) { _ in }"#),
        .sync(
            #"api.post("x", parameters: user) { _ in }"#),
        .sync(
            #"api.post("x", parameters: [user, user]) { _ in }"#),
        .sync(
            #"api.post("x", parameters: ["users": [user]]) { _ in }"#),
        .sync(
            #"api.post("x", parameters: Parameters(dict)) { _ in }"#),
        .sync(
            #"api.post("x", parameters: try Parameters(untyped: untyped)) { _ in }"#),
        .sync(
            #"let p: Parameters = ["page": 1, "ids": [3, 1, 2], "draft": false]; api.get("x", parameters: p) { _ in }"#
        ),
        .sync(
            #"var p: Parameters = ["page": 1]; p["b"] = ["c": 1, "d": "x"]; p["n"] = nil; p["v"] = n; api.get("x", parameters: p) { _ in }"#
        ),
        .sync(
            #"let p: [String: String] = ["a": "b"]; api.get("x", parameters: p) { _ in }"#),
        .sync(
            #"api.get("x", headers: ["Accept": "text/xml"], serializer: .xmlDocument) { r in let t: XMLTree? = r.value; print(t as Any) }"#
        ),
        .sync(
            #"api.get("x", serializer: .decodable(User.self)) { r in print(r.value?.name ?? "") }"#),
        .sync(
            #"api.get("x", as: User.self) { r in print(r.value?.name ?? "") }"#),
        .sync(
            #"api.get("x", as: [User].self) { r in print(r.value?.count ?? 0) }"#),
        .sync(
            #"api.get("x", serializer: HTTPResponseSerializer()) { r in print(r.value?.count ?? 0) }"#
        ),
        .sync(
            #"api.get("x", options: .timeout(5)) { r in print(r) }"#),
        .sync(
            #"api.post("x", parameters: user, headers: ["A": "b"], options: .uploadProgress { print($0.fractionCompleted) }) { _ in }"#
        ),
        .sync(
            #"api.post("x", parameters: ["a": 1], options: [.uploadProgress { p in print(p) }, .timeout(1)]) { r in print(r.data?.count ?? 0) }"#
        ),
        .sync(
            #"api.dataTask(.delete, "x/1", headers: ["A": "b"], options: .timeout(1)).resume()"#),
        .sync(
            #"api.head("x") { r in print(r.head?.statusCode ?? 0) }"#),
        .async(
            #"try await api.get("x")"#),
        .async(
            #"let d = try await api.get("x"); print(d.count)"#),
        .async(
            #"let d: Data = try await api.get("x"); print(d.count)"#),
        .async(
            #"let u = try await api.get("x", as: User.self); print(u.name)"#),
        .async(
            #"let u: User = try await api.get("x"); print(u.name)"#),
        .async(
            #"let u: [User] = try await api.get("x", parameters: ["page": n]); print(u.count)"#),
        .async(
            #"let u: User? = try await api.get("x"); print(u as Any)"#),
        .async(
            #"let t: XMLTree = try await api.response(.get, "x", serializer: .xmlDocument).result.get(); print(t)"#
        ),
        .async(
            #"let r = await api.response(.get, "x", serializer: .string); print(r.value?.count ?? 0, r.head?.statusCode ?? 0)"#
        ),
        .async(
            #"let r = await api.response(.post, "x", parameters: ["a": [1, nil, "x"]]); print(r.value as Any)"#
        ),
        .async(
            #"let r = await api.response(.post, "x", parameters: user, serializer: .decodable(User.self), options: .timeout(1)); print(r.value?.name as Any)"#
        ),
        .async(
            #"try await api.post("x", parameters: ["a": 1, "b": ["c": nil]])"#),
        .async(
            #"let u: User = try await api.post("x", parameters: user, options: .timeout(5)); print(u)"#
        ),
        .async(
            #"let u = try await api.post("x", parameters: ["a": [1, "x"]], as: User.self, options: [.decoder(JSONDecoder())]); print(u)"#
        ),
        .async(
            #"try await api.delete("x")"#),
        .async(
            #"try await api.put("x", parameters: ["a": "b"])"#),
        .async(
            #"try await api.put("x", parameters: user)"#),
        .async(
            #"let h = try await api.head("x"); print(h.statusCode)"#),
        .async(
            #"let t: DataTask = api.dataTask(.get, "x"); t.resume(); t.cancel()"#),
        .async(
            #"api.get("x") { r in print(r) }"#),
        .async(
            #"async let a: User = api.get("a"); async let b: User = api.get("b"); print(try await a, try await b)"#
        ),
        .async(
            #"func load() async throws -> User { try await api.get("x") }; _ = try await load()"#),
        .async(
            #"let r = await withTaskGroup(of: User?.self) { g in g.addTask { try? await api.get("x") }; return await g.next() ?? nil }; print(r as Any)"#
        ),
        .async(
            #"do { try await api.get("x") } catch { switch error { case .cancelled: break; default: print(error) } }"#
        ),
        .async(
            #"let u = try await api.get("x") as User; print(u)"#),
        .async(
            #"print(try await api.get("x"))"#),
        .sync(
            #"api.get("x") { r in if let v = r.value { print(v) } }"#),
        .sync(
            #"api.get("x") { r in guard let v = r.value as? [String: Any] else { return }; print(v.count) }"#
        ),
        .async(
            #"do { try await api.get("x") } catch .cancelled { } catch { print(error) }"#),
        .async(
            #"do { let u: User = try await api.get("x"); print(u) } catch .cancelled { } catch .unacceptableStatus(let s, _) { print(s) } catch { print(error) }"#
        ),
        .async(
            #"let u: User = try await api.post("x", parameters: Parameters(dict)); print(u)"#),
        .sync(
            #"api.post("x", parameters: ["filter": ["a": ["b": [1, "x", nil, true, ["c": n, "d": user]]]], "e": [:], "f": [], "g": -1.5, "h": "s\(n)", "i": token, "j": Date(), "k": [n, n], "l": ["x", token], "m": [1: 2], "n": nil, "o": o, "p": [user], "q": ["r": ["s": ["t": ["u": 1, "v": "w"]]]]]) { r in print(r) }"#
        ),
        .async(
            #"let u: User = try await api.post("x", parameters: ["filter": ["a": ["b": [1, "x", nil, true, ["c": n, "d": user]]]], "e": [:], "f": [], "g": -1.5, "i": token, "n": nil, "q": ["r": ["s": ["t": ["u": 1, "v": "w"]]]]]); print(u)"#
        ),
        .async(
            #"return try await JSONDecoder().decode(User.self, from: api.get("x")).name == "" ? () : ()"#
        ),

        // Options
        .sync(
            #"api.get("x", options: .redirects(.doNotFollow)) { print($0.head?.statusCode ?? 0) }"#),
        .sync(
            #"api.get("x", options: .redirects(.decide { head, next in head.statusCode == 301 ? next : nil })) { _ in }"#
        ),
        .sync(
            #"api.get("x", options: [.deadline(2), .connectTimeout(1), .headTimeout(1), .queueTimeout(1)]) { _ in }"#
        ),
        .sync(
            #"api.get("x", options: [.decodesContent(false), .cookies(false), .priority(1)]) { _ in }"#
        ),
        .sync(#"api.get("x", options: [.attribute(Tenant.self, "a"), .tag("t")]) { _ in }"#),
        .sync(#"api.get("x", options: .route(try Exchange.Route.fromEnvironment())) { _ in }"#),
        .sync(#"api.post("x", parameters: user, options: .encoder(JSONBodyEncoder())) { _ in }"#),
        .sync(
            #"var options: RequestOptions = []; options = [options, .timeout(3)]; api.get("x", options: options) { _ in }"#
        ),
        .sync(
            #"let slow: RequestOptions = .timeout(300); api.get("x", options: [slow, .priority(0)]) { _ in }"#
        ),
        .async(
            #"let u: User = try await api.get("x", options: [.decoder(JSONDecoder()), .deadline(1)]); print(u)"#
        ),
        // Parameters
        .sync(
            #"api.get("x", parameters: ["q": "a b", "page": n, "since": Date(), "id": UUID()]) { _ in }"#
        ),
        .sync(
            #"var p: Parameters = [:]; p["a"] = 1; p.merge(["b": nil]); print(p.names, p.isEmpty); api.get("x", parameters: p) { _ in }"#
        ),
        .sync(#"for (name, value) in ["a": 1] as Parameters { print(name, value) }"#),
        .sync(#"api.post("x", parameters: try Parameters(encoding: user)) { _ in }"#),
        .sync(#"api.post("x", parameters: 5) { _ in }"#),
        .sync(#"api.post("x", parameters: ["tags": ["a", "b"], "on": true]) { _ in }"#),
        .sync(#"api.post("x", parameters: ["a": o as Any]) { _ in }"#),
        // Headers and heads
        .sync(#"api.get("x", headers: ["Authorization": "Bearer \(token)"]) { _ in }"#),
        .async(
            #"let size = try await api.head("x", headers: ["A": "b"], options: .timeout(1)).expectedContentLength; print(size ?? 0)"#
        ),
        .sync(#"api.head("x", parameters: ["a": 1], headers: ["A": "b"]) { _ in }"#),
        // Uploads, downloads, streams
        .sync(
            #"api.upload(.file(file), to: "x", method: .put, headers: ["Content-Type": "image/png"]) { r in print(r.value as Any) }"#
        ),
        .async(#"try await api.upload(.data(Data("a".utf8)), to: "x")"#),
        .async(
            #"let u: User = try await api.upload(.stream { InputStream(data: Data()) }, to: "x"); print(u)"#
        ),
        .async(
            #"let form = try MultipartFormData { try $0.appendPart(fileURL: file, name: "f") }; try await api.upload(.form(form, parameters: ["a": 1]), to: "x")"#
        ),
        .sync(
            #"api.post("x", parameters: ["a": 1], constructingBody: { $0.appendPart(formData: Data(), name: "f") }) { r in print(r) }"#
        ),
        .sync(#"api.download("x", to: file) { r in print(r.value?.path ?? "") }"#),
        .async(
            #"let url = try await api.download("x", to: file, options: [.downloadProgress { print($0) }, .file(.removePreviousFile)]); print(url)"#
        ),
        .sync(#"let t = api.download("x", parameters: ["v": 2], to: file) { _ in }; t.cancel()"#),
        .sync(
            #"api.download("x", destination: { head in head.statusCode == 200 ? file : nil }) { _ in }"#
        ),
        .async(
            #"for try await piece in try await api.stream("x", parameters: ["a": 1]) { print(piece.count) }"#
        ),
        // The manager
        .sync(
            #"api.json.encoder.dates = .iso8601WithFractionalSeconds; api.json.encoder.keys = .snakeCase"#
        ),
        .sync(
            #"api.json.decoder.keyDecodingStrategy = .convertFromSnakeCase; print(api.json.encoder.writingOptions)"#
        ),
        .sync(
            #"api.requestSerializer[as: HTTPRequestSerializer.self]?.queryEncoding.arrays = .indices"#
        ),
        .sync(
            #"api.responseSerializer[as: JSONResponseSerializer.self]?.removesKeysWithNullValues = true"#
        ),
        .sync(
            #"api.requestSerializer.setAuthorization(bearerToken: token); api.requestSerializer = JSONRequestSerializer()"#
        ),
        .async(
            #"let r = await api.response(.delete, "x"); print(r.object as Any, r.metrics as Any)"#),
        .sync(
            #"let t = api.dataTask(method: .get, path: "x") { r in print(r) }; t.priority = 1; t.resume()"#
        ),
        .sync(
            #"let t = api.dataTask(with: URLRequest(url: file), options: .deadline(1), completionHandler: nil); t.resume()"#
        ),
        .sync(#"let t = api.dataTask(.get, "x", parameters: ["a": 1, "b": "x"]); t.resume()"#),
        // In closures, whose kind decides and not that of the function around them
        .sync(#"let t: Task<Data, any Error> = Task { try await api.delete("x") }; t.cancel()"#),
        .sync(#"Task { try await api.post("x", parameters: ["a": 1]) }"#),
        .sync(#"Task { try await api.post("x", parameters: user) }"#),
        .sync(#"Task { try? await api.put("x", parameters: Parameters(dict)) }"#),
        .sync(
            #"let t: Task<ResponseHead, any Error> = Task.detached { try await api.head("x") }; t.cancel()"#
        ),
        .sync(#"let t: Task<User, any Error> = Task { try await api.get("x") }; t.cancel()"#),
        .sync(
            #"let t: Task<Data, any Error> = Task { try await api.upload(.file(file), to: "x") }; t.cancel()"#
        ),
        .async(
            #"let t: [DataTask] = (1...3).map { api.dataTask(.get, "x/\($0)") }; t.forEach { $0.cancel() }"#
        ),
        .async(
            #"let ids = [1, 2]; ids.forEach { api.dataTask(.post, "x/\($0)", parameters: ["a": $0]).resume() }"#
        ),
        .async(
            #"let t: [DownloadTask] = (1...3).map { api.download("x/\($0)", to: file) { _ in } }; print(t)"#
        ),
        .async(
            #"let tasks = (1...3).map { number -> DataTask in api.dataTask(.get, "x/\(number)") }; tasks.forEach { $0.cancel() }"#
        ),
        .sync(
            #"let tasks = (1...3).map { api.dataTask(.get, "x/\($0)") }; tasks.forEach { $0.resume() }"#
        ),
        .async(
            #"do { let u: User = try await api.get("x"); print(u) } catch { print(error.isSafeToRetry, error.stage) }"#
        ),
    ]
}
