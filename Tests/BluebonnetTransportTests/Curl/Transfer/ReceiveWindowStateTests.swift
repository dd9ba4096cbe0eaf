import Foundation
import Testing

@testable import BluebonnetTransport

/// A window behind a reference, because expectations copy their operands.
private final class Window: Sendable {
    private let window: ReceiveWindow

    init(size: Int?) { window = ReceiveWindow(size: size) }

    var isExhausted: Bool { window.isExhausted }
    func hasRoom() -> Bool { window.hasRoom() }
    func add(_ count: Int) { window.add(count) }
    func consume(_ count: Int) -> Bool { window.consume(count) }
}

@Suite("The window of an exchange")
struct ReceiveWindowStateTests {
    @Test("without a size there is always room, and consuming wakes no loop")
    func unlimited() {
        let window = Window(size: nil)
        window.add(.max)
        #expect(window.hasRoom())
        #expect(!window.consume(1))
        #expect(!window.isExhausted)
    }

    @Test("a full window has room again at three quarters consumed, and then wakes the loop once")
    func full() {
        let window = Window(size: 100)
        window.add(99)
        #expect(window.hasRoom())
        window.add(1)
        #expect(!window.hasRoom())
        #expect(window.isExhausted)
        #expect(!window.consume(74))
        #expect(window.isExhausted)
        #expect(window.consume(1))
        #expect(!window.isExhausted)
        #expect(!window.consume(1))
        #expect(window.hasRoom())
    }

    @Test("consuming wakes no loop that has not found the window full")
    func early() {
        let window = Window(size: 100)
        window.add(100)
        #expect(!window.consume(100))
        #expect(window.hasRoom())
    }

    @Test("a loop and a consumer on two threads never wait for each other")
    func race() async {
        final class Shared: Sendable {
            let window = Window(size: 4)
            let woken = DispatchSemaphore(value: 0)
            let produced = DispatchSemaphore(value: 0)
        }
        let shared = Shared()
        let count = 20_000
        let consumer = Task.detached {
            for _ in 0..<count {
                shared.produced.wait()
                if shared.window.consume(1) { shared.woken.signal() }
            }
        }
        let producer = Task.detached {
            var isOnTime = true
            for _ in 0..<count where isOnTime {
                if !shared.window.hasRoom() {
                    isOnTime = shared.woken.wait(timeout: .now() + 20) == .success
                }
                shared.window.add(1)
                shared.produced.signal()
            }
            return isOnTime
        }
        #expect(await producer.value)
        await consumer.value
    }
}
