// Not @testable, because a stub transport outside of the library has only these means.
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Faults created by a stub transport")
struct CertificateFaultTests {
    @Test("a failure has the given certificate fault")
    func delivery() throws {
        let chain = [Data([1]), Data([2, 3])]
        let fault: Exchange.Failure.CertificateFault = .init(
            check: .expiry, host: "example.com:443", presentedChain: chain)
        let failure = Exchange.Failure(certificateFault: fault)
        let report = Exchange.Report(end: Exchange.End(failure: failure))
        let received = try #require(report.end?.failure?.certificateFault)
        #expect(received.check == .expiry && received.host == "example.com:443")
        #expect(received.presentedChain == chain)
    }

    @Test(
        "the code follows from the check, as with libcurl",
        arguments: [
            (.issuer, .serverCertificateHasUnknownRoot), (.expiry, .serverCertificateHasBadDate),
            (.start, .serverCertificateNotYetValid), (.hostName, .serverCertificateUntrusted),
            (.pin, .serverCertificateUntrusted), (.challenge, .serverCertificateUntrusted),
            (.revocation, .serverCertificateUntrusted), (.other, .serverCertificateUntrusted),
        ] as [(Exchange.Failure.CertificateFault.Check, URLError.Code)])
    func codes(check: Exchange.Failure.CertificateFault.Check, code: URLError.Code) {
        let fault: Exchange.Failure.CertificateFault = .init(check: check, host: "a.test:443")
        let failure = Exchange.Failure(certificateFault: fault)
        #expect(failure.code == code)
        #expect(failure.certificateFault == fault)
        #expect(failure.message.contains("a.test:443") && failure.message.contains(check.rawValue))
        #expect(Exchange.Failure(certificateFault: fault, message: "why").message == "why")
    }

    @Test("a denial of an address guard can be created, and describes what was denied")
    func denial() {
        let denial = AddressGuard.Denial(
            rule: .loopback, host: "localhost", port: 80, address: "127.0.0.1")
        var failure = Exchange.Failure(.cannotConnectToHost, message: denial.description)
        failure.denial = denial
        #expect(failure.denial?.address == "127.0.0.1")
        #expect(failure.message.contains("127.0.0.1 of localhost:80"))
        #expect(AddressGuard.Denial(rule: .deniedHost, host: "a", port: 80).address == nil)
    }
}
