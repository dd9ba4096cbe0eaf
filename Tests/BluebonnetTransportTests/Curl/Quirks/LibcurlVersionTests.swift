@testable import BluebonnetTransport
import Foundation
import Testing

@Suite("The libcurl of the tests")
struct LibcurlVersionTests {
    @Test("it is new enough, and the log names its version")
    func version() throws {
        let version = try LibcurlVersion.running.get()
        print("libcurl \(version.text)")
        #expect(version.number >= LibcurlVersion.oldestSupported.number)
        // `scripts/test --libcurl` sets the folder of the requested library.
        let path = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""
        if path.contains("libcurl-backports") { #expect(version.number >= 0x080E00) }
    }
}
