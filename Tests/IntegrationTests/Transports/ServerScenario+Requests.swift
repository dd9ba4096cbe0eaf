import Bluebonnet
import BluebonnetTesting
import Foundation

extension ServerScenario {
    static let requests: [ServerScenario] = [
        ServerScenario("POST of JSON", nginx: tell) { run in
            run.api.requestSerializer = JSONRequestSerializer()
            await run.send("a", .post, parameters: ["id": 1])
        }.stub(telling),
        ServerScenario("POST of a form", nginx: tell) { run in
            await run.send("a", .post, parameters: ["name": "blue bonnet"])
        }.stub(telling),
        ServerScenario("PUT", nginx: tell) { run in
            await run.upload(.data(Data("body".utf8)), to: "a", .put)
        }.stub(telling),
        ServerScenario("POST of a multipart form", nginx: tell) { run in
            await withCheckedContinuation { continuation in
                run.api.post("a", serializer: HTTPResponseSerializer()) { form in
                    try form.setBoundary("boundary")
                    form.appendPart(formData: Data("bonnet".utf8), name: "blue")
                } completionHandler: { response in
                    run.witness.note(response)
                    continuation.resume()
                }
            }
        }.stub(telling),
        // A body of unknown length, which nginx answers before it has read it.
        ServerScenario("POST of a stream", nginx: "location /a { return 201; }") { run in
            let pieces = AsyncStream<Data> { stream in
                for _ in 0..<3 { stream.yield(Data(count: 1000)) }
                stream.finish()
            }
            await run.upload(.sequence(pieces), to: "a")
        }.stub("/a", .text("", type: "text/plain", status: 201)),
        ServerScenario("POST of 300 KB", nginx: tell) { run in
            await run.upload(.data(Data(count: 300_000)), to: "a")
        }.stub(telling),
        ServerScenario(
            "a body that is too large",
            nginx: "location /a { client_max_body_size 10; return 200; }"
        ) { run in
            await run.upload(.data(Data(count: 100)), to: "a")
        }.stub("/a", .nginxPage(413, "Request Entity Too Large")),
    ]

    private static let tell =
        #"location /a { return 201 "$request_method $content_type $content_length"; }"#

    private static let telling: @Sendable (StubTransport, ScenarioPorts) -> Void = { stub, _ in
        stub.on("/a") { request in
            let type = request.headers["Content-Type"] ?? ""
            return .text(
                "\(request.method.rawValue) \(type) \(request.body.count)", type: "text/plain",
                status: 201)
        }
    }
}
