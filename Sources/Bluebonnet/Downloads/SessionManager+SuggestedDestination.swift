public import Foundation

extension SessionManager {
    /// A download's destination in a directory, named as the response suggests.
    ///
    /// See ``ResponseHead/suggestedFilename`` for how the name is made safe. Two responses can
    /// suggest the same name; without ``DownloadOptions/removePreviousFile`` the second one fails.
    public static func suggestedDownloadDestination(
        in directory: URL
    ) -> @Sendable (ResponseHead) -> URL {
        { head in
            directory.appendingPathComponent(head.suggestedFilename, isDirectory: false)
        }
    }
}
