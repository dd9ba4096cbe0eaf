@testable import BluebonnetTransport
import Foundation
import Testing

@Suite("The libcurl that the tests run on")
struct LibcurlVersionTests {
    @Test("it is new enough, and told in the log, which shows nothing else about it")
    func version() throws {
        let version = try LibcurlVersion.running.get()
        print("libcurl \(version.text)")
        #expect(version.number >= LibcurlVersion.oldestSupported.number)
        // `scripts/test --libcurl` names the folder of the library that is wanted.
        let path = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""
        if path.contains("libcurl-backports") { #expect(version.number >= 0x080E00) }
    }
}
