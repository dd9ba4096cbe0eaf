import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet
@testable import BluebonnetChain

@Suite("Pieces of bodies in event monitors", .timeLimit(.minutes(1)))
struct EventMonitorDataTests {
    private struct Value: EventMonitor {
        let sizes: Recorder<Int>

        func urlSession(_ session: Session, dataTask: SessionTask, didReceive data: Data) {
            sizes.add(data.count)
        }
    }

    private final class Object: EventMonitor {
        let sizes: Recorder<Int>

        init(_ sizes: Recorder<Int>) { self.sizes = sizes }

        func urlSession(_ session: Session, dataTask: SessionTask, didReceive data: Data) {
            sizes.add(data.count)
        }
    }

    private final class Subclass: ClosureEventMonitor, @unchecked Sendable {
        let sizes = Recorder<Int>()

        override func urlSession(
            _ session: Session, dataTask: SessionTask, didReceive data: Data
        ) {
            super.urlSession(session, dataTask: dataTask, didReceive: data)
            sizes.add(data.count)
        }
    }

    enum Kind: CaseIterable {
        case value, object, subclass, closure, composite, lateClosure

        /// Returns a monitor that records sizes.
        fileprivate func make(_ sizes: Recorder<Int>) -> any EventMonitor {
            switch self {
            case .value: return Value(sizes: sizes)
            case .object: return Object(sizes)
            case .composite:
                return CompositeEventMonitor(monitors: [Silent(), Value(sizes: sizes)])
            case .closure:
                let monitor = ClosureEventMonitor()
                monitor.dataTaskDidReceiveData = { sizes.add($2.count) }
                return monitor
            case .lateClosure, .subclass: return ClosureEventMonitor()
            }
        }
    }

    /// Does not implement the method.
    private struct Silent: EventMonitor {}
    private final class SilentObject: EventMonitor {}

    private let rig = StubRig()

    init() { rig.stub.on("/**", .init(200, body: Data(repeating: 1, count: 9))) }

    private func get() async {
        _ = await rig.manager.request("a").serializingData().response
    }

    @Test(
        "a monitor of any type that implements the method receives the data of every response",
        arguments: Kind.allCases)
    func received(kind: Kind) async {
        let (sizes, subclass) = (Recorder<Int>(), Subclass())
        let monitor: any EventMonitor = kind == .subclass ? subclass : kind.make(sizes)
        rig.manager.addMonitor(monitor)
        for number in 0..<3 {
            let request = rig.manager.request("a")
            if kind == .lateClosure, number == 0 {
                (monitor as? ClosureEventMonitor)?.dataTaskDidReceiveData = {
                    sizes.add($2.count)
                }
            }
            _ = await request.serializingData().response
        }
        await rig.manager.shutdown()
        let all = kind == .subclass ? subclass.sizes : sizes
        #expect(all.all == [9, 9, 9])
    }

    @Test("data that no monitor uses is no longer copied after the first response")
    func ignored() async {
        let monitors: [any EventMonitor] = [
            Silent(), SilentObject(), ClosureEventMonitor(),
            CompositeEventMonitor(monitors: [Silent(), ClosureEventMonitor()]),
        ]
        for monitor in monitors { rig.manager.addMonitor(monitor) }
        await get()
        #expect(await until { !rig.manager.audience.hears(.receivedData) })
        #expect(rig.manager.audience.hears(.completed))
        // A type is asked once.
        let other = StubRig()
        other.manager.addMonitor(Silent())
        #expect(!other.manager.audience.hears(.receivedData))
    }

    @Test("a closure is asked for data only while it is set")
    func closure() async {
        let monitor = ClosureEventMonitor()
        let subscription = rig.manager.addMonitor(monitor)
        #expect(!rig.manager.audience.hears(.receivedData))
        monitor.dataTaskDidReceiveData = { _, _, _ in }
        #expect(rig.manager.audience.hears(.receivedData))
        monitor.dataTaskDidReceiveData = nil
        #expect(!rig.manager.audience.hears(.receivedData))
        subscription.cancel()
        monitor.dataTaskDidReceiveData = { _, _, _ in }
        #expect(!rig.manager.audience.hears(.receivedData))
    }

    @Test("a monitor that names its interests receives no others")
    func named() async {
        struct Named: EventMonitor {
            let interests: TaskEvent.Interests = [.completed]
            let names = Recorder<String>()

            func urlSession(_ session: Session, dataTask: SessionTask, didReceive data: Data) {
                names.add("data")
            }
            func requestDidFinish(_ request: Request) { names.add("finish") }
        }
        let monitor = Named()
        rig.manager.addMonitor(monitor)
        await get()
        await get()
        await rig.manager.shutdown()
        #expect(monitor.names.all == ["finish", "finish"])
    }
}
