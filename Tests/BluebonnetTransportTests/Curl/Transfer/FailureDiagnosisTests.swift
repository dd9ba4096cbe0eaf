import CBluebonnet
import Foundation
import FoundationNetworking
import Glibc
import Testing

@testable import BluebonnetTransport

@Suite("The failure that libcurl's result stands for")
struct FailureDiagnosisTests {
    private func failure(
        _ result: CURLcode, attemptCount: Int = 0, hasHead: Bool = false, socketError: Int32 = 0,
        addressCheck: AddressCheck? = nil, race: AddressRace? = nil
    ) -> Exchange.Failure {
        FailureDiagnosis(
            result: result, handle: nil, url: "http://x.test/", attemptCount: attemptCount,
            hasHead: hasHead, socketErrorNumber: socketError, addressCheck: addressCheck,
            race: race
        ).failure
    }

    @Test("a process without sockets is told to raise its limit, and other errors are libcurl's")
    func sockets() {
        let failure = failure(CURLE_COULDNT_CONNECT, socketError: EMFILE)
        #expect(failure.code == .cannotConnectToHost)
        #expect(failure.systemErrorNumber == EMFILE)
        #expect(failure.message.contains("limit of open files"))
        let other = self.failure(CURLE_COULDNT_CONNECT, socketError: EACCES)
        #expect(other.code == .cannotConnectToHost && other.systemErrorNumber == nil)
    }

    @Test(
        "a protocol that is not spoken is a bad response while the head is awaited, else a bad URL")
    func heads() {
        #expect(failure(CURLE_UNSUPPORTED_PROTOCOL).code == .unsupportedURL)
        #expect(failure(CURLE_UNSUPPORTED_PROTOCOL, attemptCount: 1).code == .badServerResponse)
        #expect(
            failure(CURLE_UNSUPPORTED_PROTOCOL, attemptCount: 1, hasHead: true).code
                == .unsupportedURL)
    }

    @Test("an address that was denied is the failure where no other was allowed, and a remark else")
    func denials() throws {
        let pool = Exchange.Pool(addressGuard: .publicInternetOnly)
        let exchange = Exchange(method: "GET", url: "http://x.test/", pool: pool)
        let check = try #require(AddressCheck(for: exchange))
        #expect(!allows("127.0.0.1", check))
        let denied = failure(CURLE_COULDNT_CONNECT, addressCheck: check)
        #expect(denied.denial?.rule == .loopback)
        #expect(allows("192.0.32.7", check))
        let remark = failure(CURLE_COULDNT_CONNECT, addressCheck: check)
        #expect(remark.denial == nil)
        #expect(remark.message.contains("besides, the address guard denied the address 127.0.0.1"))
    }

    private func allows(_ address: String, _ check: AddressCheck) -> Bool {
        var target = curl_sockaddr()
        target.family = AF_INET
        target.addrlen = UInt32(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &target) { target in
            var internet = sockaddr_in()
            internet.sin_family = sa_family_t(AF_INET)
            inet_pton(AF_INET, address, &internet.sin_addr)
            withUnsafeBytes(of: internet) { bytes in
                withUnsafeMutableBytes(of: &target.pointee.addr) { $0.copyBytes(from: bytes) }
            }
            return check.allowsSocket(for: target, isProxy: false)
        }
    }
}
