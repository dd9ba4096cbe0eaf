import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("The error of a task that its holder did not cancel", .timeLimit(.minutes(5)))
struct CancellationCauseTests {
    let rig = SessionRig()

    private var text: String {
        get async { await rig.response.error?.description ?? "no error" }
    }

    @Test("it says that the task was never resumed, and what to do")
    func neverResumed() async {
        _ = rig.task()
        #expect(
            await text.contains("without ever being resumed, and nothing was sent; call resume()"))
        #expect(await rig.response.error?.isCancelled == true)
    }

    @Test("it says so for a download and an upload")
    func otherKinds() async throws {
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        let texts = Recorder<String>()
        _ = rig.manager.downloadTask(
            with: request,
            completionHandler: {
                texts.add($0.error?.description ?? "no error")
            })
        _ = rig.manager.uploadTask(
            with: request, from: Data([1]),
            completionHandler: {
                texts.add($0.error?.description ?? "no error")
            })
        for text in await texts.wait(for: 2) {
            #expect(text.contains("without ever being resumed"), "\(text)")
        }
    }

    @Test(
        "it names the end of the manager, also for a task that was never resumed",
        arguments: [true, false])
    func invalidated(isResumed: Bool) async {
        let task = rig.task()
        if isResumed {
            task.resume()
            _ = await rig.stub.exchange()
        }
        rig.manager.invalidate(cancelingTasks: true, resetSession: true)
        #expect(await text.contains("because its manager was invalidated"))
    }

    @Test("it names the shutdown after the grace period")
    func shutDown() async {
        rig.task().resume()
        _ = await rig.stub.exchange()
        await rig.manager.shutdown(cancelingAfter: .zero)
        #expect(await text.contains("because its manager was shut down"))
    }

    @Test("it names a hook that cancels at a response or a challenge", arguments: [200, 401])
    func hook(status: Int) async {
        rig.manager.dataTaskDidReceiveResponse = { _, _ in .cancel }
        rig.manager.didReceiveChallenge = { _, _ in .cancel }
        rig.task().resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(status, ["WWW-Authenticate": "Basic realm=a"])
        exchange.end()
        #expect(await text.contains("because a hook returned .cancel"))
    }

    @Test("it has no cause if the holder canceled first")
    func ownCancel() async {
        let task = rig.task()
        task.resume()
        _ = await rig.stub.exchange()
        task.cancel()
        rig.manager.invalidate(cancelingTasks: true, resetSession: true)
        #expect(await text.hasPrefix("the task was canceled ["))
    }
}
