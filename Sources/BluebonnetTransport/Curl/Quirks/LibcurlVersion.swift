import CBluebonnet
import Foundation
import FoundationNetworking

/// The libcurl that this process runs on.
package struct LibcurlVersion: Sendable, Equatable {
    /// The version as 0xXXYYZZ.
    package var number: UInt32
    /// The version in words, such as `7.88.1`.
    package var text: String

    /// 7.87 brought what the loop stands on: `CURLOPT_QUICK_EXIT` and the cache of parsed CA files.
    package static let oldestSupported = LibcurlVersion(number: 0x075700, text: "7.87.0")

    package init(number: UInt32, text: String) {
        self.number = number
        self.text = text
    }

    /// What is loaded, initialized once for the process and never cleaned up: FoundationNetworking
    /// uses the same library.
    package static let running: Result<LibcurlVersion, Exchange.Failure> = {
        let result = bb_global_init()
        guard result == CURLE_OK, let info = bb_version_info() else {
            return .failure(
                .unusableLibrary("libcurl could not be initialized (\(result.rawValue))"))
        }
        let text = info.pointee.version.map { String(cString: $0) } ?? "unknown"
        let version = LibcurlVersion(number: info.pointee.version_num, text: text)
        return Result { () throws(Exchange.Failure) in try version.checked() }
    }()

    /// Whether the library was built with HTTP/2.
    static let isBuiltWithHTTP2 =
        bb_version_info().map { $0.pointee.features & CURL_VERSION_HTTP2 != 0 } ?? false

    /// Itself, or a failure that says what is needed.
    package func checked() throws(Exchange.Failure) -> LibcurlVersion {
        guard number >= Self.oldestSupported.number else {
            throw .unusableLibrary(
                """
                Bluebonnet needs libcurl \(Self.oldestSupported.text) or newer, and this process \
                has loaded libcurl \(text); install a newer libcurl, such as that of Debian 12
                """
            )
        }
        return self
    }
}

extension Exchange.Failure {
    static func unusableLibrary(_ message: String) -> Self {
        Self(.unknown, message: message)
    }
}
