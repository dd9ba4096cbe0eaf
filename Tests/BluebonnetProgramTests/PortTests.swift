import BluebonnetTargets
import BluebonnetTesting
import Testing

extension ProgramTests {
    @Suite("Ported programs of which only the imports were edited")
    struct Ports {
        let stage = Stage.shared
        let file = FileManager.default.temporaryDirectory
            .appending(path: "bluebonnet-port-\(UUID().uuidString)")

        private var forge: ForgeClient {
            ForgeClient(
                provider: MoyaProvider<Forge>(plugins: [
                    ForgeJournal(), AccessTokenPlugin { _ in "t" },
                ]))
        }

        private var cloud: CloudClient { CloudClient(session: Session(transport: stage.stub)) }

        /// Sends a target and returns its request.
        private func request(of target: Forge) async throws -> StubRequest {
            let first = stage.begin(.json(["items": ["a", "b"]]))
            forge.show(target)
            #expect(await stage.lines(4).last?.hasPrefix("failed") == false)
            return try #require(stage.requests(from: first).first)
        }

        @Test("a target's dictionaries are its query and its body")
        func dictionaries() async throws {
            let search = try await request(of: .search("é", page: 2))
            #expect(search.url.query == "page=2&q=%C3%A9")
            #expect(search.headers["Authorization"] == "Bearer t")
            let label = try await request(of: .label(name: "x", colors: ["r", "b"]))
            #expect(label.url.query == "notify=0")
            #expect(label.text == #"{"colors":["r","b"],"name":"x"}"#)
            let raw = try await request(of: .raw(Data("raw".utf8)))
            #expect(raw.url.query == "dry=1" && raw.text == "raw" && raw.method == .post)
        }

        @Test("a target's forms are sent with their boundary and their query")
        func forms() async throws {
            let avatar = try await request(of: .avatar(Data("png".utf8)))
            #expect(avatar.text.contains("filename=\"a.png\""))
            let tagged = try await request(of: .tagged(Data("png".utf8)))
            #expect(tagged.url.query == "tag=new" && tagged.text.hasPrefix("--forge\r\n"))
        }

        @Test("a target's downloads go to their destination")
        func downloads() async throws {
            defer { try? FileManager.default.removeItem(at: file) }
            for (target, query) in [
                (Forge.archive(file), nil), (.export(file, format: "a"), "format=a"),
            ] {
                let sent = try await request(of: target)
                #expect(sent.url.query == query)
                #expect(try String(contentsOf: file, encoding: .utf8).contains("items"))
            }
        }

        @Test("plugins, progress and completions with Moya's types are called in order")
        func plugins() async {
            _ = stage.begin(.json(["items": ["a", "b"]]))
            forge.show(.zen)
            #expect(await stage.lines(4) == ["-> /zen", "<- 200", "done 1.0", "a+b"])
            _ = stage.begin(StubResponse(404))
            forge.show(.zen)
            #expect(await stage.lines(2).last == "failed 404")
        }

        @Test("a provider that overrides the request is called by its client")
        func provider() async {
            let first = stage.begin(StubResponse(200))
            let provider = ForgeProvider(session: Session(transport: stage.stub))
            ForgeClient(provider: provider).show(.search("", page: nil))
            #expect(await stage.lines(1).first == "failed 0")
            await provider.session.shutdown(cancelingAfter: .seconds(10))
            #expect(stage.requests(from: first).map(\.path) == ["/zen"])
        }

        @Test("a dictionary's value that cannot be sent fails the call with its place")
        func unsendable() async {
            let first = stage.begin()
            let endpoint = Endpoint(
                url: "https://forge.test/",
                sampleResponseClosure: { .networkResponse(200, Data()) },
                method: .get,
                task: .requestParameters(
                    parameters: ["a": ["b": stage]] as [String: Any],
                    encoding: URLEncoding.queryString), httpHeaderFields: nil)
            #expect {
                try endpoint.urlRequest()
            } throws: { error in
                guard case MoyaError.parameterEncoding = error else { return false }
                return "\(error)".contains("a.b")
            }
            let parameters: [String: Any] = ["a": ["b": stage]]
            let response = await Session(transport: stage.stub)
                .request("https://forge.test/", parameters: parameters).serializingData().response
            #expect(response.error.map { "\($0)".contains("a.b") } == true)
            #expect(stage.requests(from: first).isEmpty)
        }

        @Test("a handler that names URLSessionTask gets the task as that class")
        func task() async throws {
            defer { try? FileManager.default.removeItem(at: file) }
            try Data("file".utf8).write(to: file)
            let first = stage.begin(StubResponse(201, body: Data("done".utf8)))
            let tasks = Locked<[URLSessionTask]>([])
            cloud.upload(file, taskHandler: { task in tasks.withLock { $0.append(task) } }) {
                print($0?.summary ?? "", $1 as Any)
            }
            #expect(await stage.lines(1) == ["4 bytes nil"])
            let sent = try #require(stage.requests(from: first).first)
            #expect(
                sent.method == .put && sent.text == "file" && sent.headers["X-Account"] == "ann")
            let task = try #require(tasks.withLock { $0.first })
            #expect(task.taskDescription == "upload" && task.state == .completed)
            #expect(task.originalRequest?.url?.path == "/file" && task.error == nil)
            #expect((task.response as? HTTPURLResponse)?.statusCode == 201)
            #expect(task.countOfBytesSent == 4 && task.countOfBytesReceived == 4)
        }

        @Test("such a task controls its request")
        func control() async throws {
            let session = Session(transport: stage.stub)
            let first = stage.begin()
            let tasks = Locked<[URLSessionTask]>([])
            let keep: @Sendable (URLSessionTask) -> Void = { task in
                tasks.withLock { $0.append(task) }
                print("task", task.state == .suspended)
            }
            let request = session.request("https://cloud.test/", shouldAutomaticallyResume: false)
                .onURLSessionTaskCreation(perform: keep).onURLSessionTaskCreation(perform: keep)
            #expect(await stage.lines(2) == ["task true", "task true"])
            let all = tasks.withLock { $0 }
            #expect(all[0] == all[1] && all[0].taskIdentifier == request.task?.taskIdentifier)
            all[0].priority = 0.75
            #expect(request.task?.priority == 0.75)
            all[0].cancel()
            try #require(request.isCancelled)
            #expect(
                await request.serializingData().response.error?.isExplicitlyCancelledError == true)
            #expect(stage.requests(from: first).isEmpty)
        }

        @Test("responses of data and of downloads are extended apart")
        func responses() async throws {
            defer { try? FileManager.default.removeItem(at: file) }
            let session = Session(transport: stage.stub)
            session.addMonitor(CloudMonitor())
            let cloud = CloudClient(session: session)
            _ = stage.begin(StubResponse(200, body: Data("file".utf8)))
            cloud.download(to: file) { print($0?.summary ?? "", $1 as Any) }
            let name = file.lastPathComponent
            #expect(await stage.lines(2).sorted() == ["\(name) nil", "parsed \(name)"])
            _ = stage.begin(StubResponse(503, body: Data("busy".utf8)))
            cloud.download(to: file) { print($1 as Any) }
            #expect(await stage.lines(2).contains("Optional(503 of a download)"))
            _ = stage.begin(StubResponse(503, body: Data("busy".utf8)))
            cloud.upload(file) { print($1 as Any) }
            #expect(await stage.lines(2).sorted() == ["Optional(503 busy)", "parsed 4 bytes"])
        }

        @Test("dictionaries, forms and handles with Alamofire's types are sent and awaited")
        func forwarded() async throws {
            let first = stage.begin(
                StubResponse(200, body: Data("ok".utf8)), StubResponse(200, body: Data("ok".utf8)),
                StubResponse(200, body: Data("file".utf8)))
            cloud.share(with: ["b"]) { print($0) }
            #expect(await stage.lines(1) == ["ok"])
            #expect(await cloud.add("hi").summary == "2 bytes")
            let size = await cloud.size()
            #expect(size.value?.count == 4 && size.map(\.count).value == 4)
            #expect(size.head?.statusCode == 200 && "\(size)".contains("status 200"))
            let sent = stage.requests(from: first)
            #expect(sent[0].text == #"{"names":["b"],"write":true}"#)
            #expect(sent[1].text.hasPrefix("--cloud\r\n"))
        }
    }
}
