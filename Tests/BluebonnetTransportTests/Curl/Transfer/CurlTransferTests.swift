import CBluebonnetMalloc
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("An exchange on the loop")
struct CurlTransferTests {
    @Test("is no larger than what the allocator keeps at hand, which is 1,032 bytes")
    func size() throws {
        let transfer = CurlTransfer(
            exchange: Exchange(method: "GET", url: "http://a.test/", pool: .init()),
            sink: ExchangeRecorder(), loop: try EventLoop())
        withExtendedLifetime(transfer) {
            let object = Unmanaged.passUnretained(transfer).toOpaque()
            #expect(malloc_usable_size(object) <= 1032)
        }
    }
}
