import BluebonnetTransport
import Foundation
import Testing

import Bluebonnet

@Suite("Value semantics of a body", .timeLimit(.minutes(5)))
struct BodyValueTests {
    private static let piece = [UInt8](repeating: 7, count: 1000)

    private func overwrite(_ data: inout Data) {
        data.withUnsafeMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = 0 }
        }
    }

    @Test("changing the body of a response changes no other copy", arguments: [1, 3])
    func response(count: Int) async throws {
        let rig = SessionRig()
        let task = rig.task()
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(500)
        for _ in 0..<count { exchange.send(Self.piece) }
        exchange.end()
        let response = await rig.response
        let whole = Data(repeating: 7, count: count * 1000)
        var mine = try #require(response.data)
        overwrite(&mine)
        var delegates = task.delegate.data
        overwrite(&delegates)
        #expect(response.data == whole)
        #expect(response.error?.context.data == whole)
        #expect(task.delegate.data == whole)
    }

    @Test("changing data passed to a hook does not change the body")
    func hook() async throws {
        let rig = SessionRig()
        let given = Locked<[Data]>([])
        rig.manager.dataTaskDidReceiveData = { _, data in given.withLock { $0.append(data) } }
        let task = rig.task()
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200)
        for count in 1...3 {
            exchange.send(Self.piece)
            #expect(await until { given.withLock { $0.count == count } })
            given.withLock { overwrite(&$0[count - 1]) }
        }
        exchange.end()
        _ = await rig.response
        #expect(task.delegate.data == Data(repeating: 7, count: 3000))
    }

    @Test("changing data read before the end does not change the body")
    func reading() async throws {
        let rig = SessionRig()
        let task = rig.task()
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200)
        for count in 1...3 {
            var before = task.delegate.data
            exchange.send(Self.piece)
            #expect(await until { task.delegate.data.count == count * 1000 })
            #expect(before.count == (count - 1) * 1000)
            overwrite(&before)
        }
        exchange.end()
        _ = await rig.response
        #expect(task.delegate.data == Data(repeating: 7, count: 3000))
    }

    @Test("changing data read from a declined redirect does not change the body")
    func redirect() async throws {
        let rig = SessionRig()
        let seen = Locked(Data())
        rig.manager.taskWillPerformHTTPRedirection = { task, _, _ in
            seen.withLock { $0 = task.delegate.data }
            return nil
        }
        let task = rig.task()
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(302, ["Location": "/b"])
        exchange.send(Self.piece)
        exchange.end()
        let response = await rig.response
        #expect(seen.withLock { $0.count } == 1000)
        seen.withLock { overwrite(&$0) }
        #expect(response.data == Data(Self.piece) && task.delegate.data == Data(Self.piece))
    }

    @Test(
        "a body without contiguous memory is an error for every callback",
        arguments: [200, 500]
    )
    func tooLarge(status: Int) async throws {
        let rig = SessionRig.configured { $0.maximumResponseBodySize = .max }
        rig.manager.responseSerializer = JSONResponseSerializer(maximumDocumentSize: .max)
        let heard = Recorder<String>()
        rig.manager.taskDidComplete = { task, error in
            heard.add("\(error == nil) \(task.delegate.error == nil)")
        }
        let task = rig.task()
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(status, ["Content-Type": "application/json"])
        let storage = try #require(BodyStorage(capacity: 1))
        for _ in 0..<2 {
            // The bytes are never read, because they cannot be joined.
            let chunk = Exchange.Chunk(storage: storage, range: 0..<(1 << 60))
            exchange.report(.init(body: [chunk]))
        }
        exchange.end()
        let response = await rig.response
        let error = try #require(response.error)
        #expect("\(error)".contains("no memory for 2305843009213693952 bytes"))
        #expect("\(error)".contains("download it, or read it as a stream"))
        #expect(response.data == nil && error.context.data == nil && response.parsedBody == nil)
        #expect(heard.all == ["false false"])
        await rig.completed.wait(for: 1)
        #expect(rig.completed.all.first?.error != nil && task.delegate.data.isEmpty)
    }
}
