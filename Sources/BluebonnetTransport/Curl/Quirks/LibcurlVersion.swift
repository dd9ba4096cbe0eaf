import CBluebonnet
import Foundation
import FoundationNetworking

/// The version of the libcurl that this process uses.
package struct LibcurlVersion: Sendable, Equatable {
    /// The version as 0xXXYYZZ.
    package var number: UInt32
    /// The version as text, such as `7.88.1`.
    package var text: String

    /// The oldest version that the loop can use.
    ///
    /// 7.87 introduced `CURLOPT_QUICK_EXIT` and the cache of parsed CA files.
    package static let oldestSupported = LibcurlVersion(number: 0x075700, text: "7.87.0")

    package init(number: UInt32, text: String) {
        self.number = number
        self.text = text
    }

    /// The loaded version, or the reason why it cannot be used.
    package static let running: Result<LibcurlVersion, Exchange.Failure> = {
        let result = LibcurlInitialization.result
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
        bb_version_info().map { bb_version_has_http2($0) != 0 } ?? false

    /// Returns this version, or throws a failure that names the version needed.
    package func checked() throws(Exchange.Failure) -> LibcurlVersion {
        guard number >= Self.oldestSupported.number else {
            throw .unusableLibrary(
                """
                Bluebonnet needs libcurl \(Self.oldestSupported.text) or newer, but this process \
                has loaded libcurl \(text); install a newer libcurl, such as the one in Debian 12
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
