import CBluebonnet
import Foundation
import FoundationNetworking
import Glibc
import Testing

@testable import BluebonnetTransport

@Suite("Failures from libcurl's results")
struct FailureDiagnosisTests {
    private func failure(
        _ result: CURLcode, attemptCount: Int = 0, hasHead: Bool = false, socketError: Int32 = 0,
        addressCheck: AddressCheck? = nil, race: AddressRace? = nil
    ) -> Exchange.Failure {
        var request = RequestSender(
            of: Exchange(method: "GET", url: "http://x.test/", pool: Exchange.Pool()))
        for _ in 0..<attemptCount { request.countAttempt() }
        return FailureDiagnosis(
            result: result, handle: nil, url: "http://x.test/", request: request,
            hasHead: hasHead, socketErrorNumber: socketError, addressCheck: addressCheck,
            race: race
        ).failure
    }

    @Test("without sockets, the failure suggests a higher limit; other errors are libcurl's")
    func sockets() {
        let failure = failure(CURLE_COULDNT_CONNECT, socketError: EMFILE)
        #expect(failure.code == .cannotConnectToHost)
        #expect(failure.systemErrorNumber == EMFILE)
        #expect(failure.message.contains("limit of open files"))
        let other = self.failure(CURLE_COULDNT_CONNECT, socketError: EACCES)
        #expect(other.code == .cannotConnectToHost && other.systemErrorNumber == nil)
    }

    @Test(
        "an unknown protocol is a bad response while the head is awaited, else a bad URL")
    func heads() {
        #expect(failure(CURLE_UNSUPPORTED_PROTOCOL).code == .unsupportedURL)
        #expect(failure(CURLE_UNSUPPORTED_PROTOCOL, attemptCount: 1).code == .badServerResponse)
        #expect(
            failure(CURLE_UNSUPPORTED_PROTOCOL, attemptCount: 1, hasHead: true).code
                == .unsupportedURL)
    }

    @Test("a denied address is the failure if none was allowed, and a remark otherwise")
    func denials() throws {
        let exchange = Exchange(method: "GET", url: "http://x.test/", pool: Exchange.Pool())
        let check = AddressCheck(of: exchange, by: .publicInternetOnly)
        #expect(!allows("127.0.0.1", check))
        let denied = failure(CURLE_COULDNT_CONNECT, addressCheck: check)
        #expect(denied.denial?.rule == .loopback)
        #expect(allows("192.0.32.7", check))
        let remark = failure(CURLE_COULDNT_CONNECT, addressCheck: check)
        #expect(remark.denial == nil)
        #expect(
            remark.message.contains("in addition, the address guard denied the address 127.0.0.1"))
    }

    private func allows(_ address: String, _ check: AddressCheck) -> Bool {
        check.allows(PeerAddress(address), isProxy: false)
    }

    @Test("a lost race is described by its addresses, unless there were no sockets")
    func race() {
        let now = MonotonicInstant.now
        var race = AddressRace([PeerAddress("192.0.2.1"), PeerAddress("192.0.2.2")], at: now)
        #expect(race.start(at: now) == 0)
        race.fail(0, .init(errorNumber: ENETUNREACH), at: now)
        #expect(failure(CURLE_COULDNT_CONNECT, race: race).systemErrorNumber == nil)
        #expect(race.start(at: now) == 1)
        race.fail(1, .init(errorNumber: ECONNREFUSED), at: now)
        let lost = failure(CURLE_COULDNT_CONNECT, race: race)
        #expect(lost.code == .cannotConnectToHost)
        #expect(lost.systemErrorNumber == ENETUNREACH)
        #expect(lost.message.hasPrefix("could not connect to x.test; tried 192.0.2.1:80 (Network"))
        #expect(failure(CURLE_SSL_CONNECT_ERROR, race: race).systemErrorNumber == nil)
        let exhausted = failure(CURLE_COULDNT_CONNECT, socketError: EMFILE, race: race)
        #expect(exhausted.message.contains("limit of open files"))
    }
}
