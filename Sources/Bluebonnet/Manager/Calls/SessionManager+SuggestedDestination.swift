public import Foundation

extension SessionManager {
    /// Returns a destination in a directory, with the file name that the response suggests.
    ///
    /// See ``ResponseHead/suggestedFilename`` for how the name is made safe. Two responses can
    /// suggest the same name. Without ``DownloadOptions/removePreviousFile``, the second download
    /// then fails.
    ///
    /// - Parameter directory: The directory, as a file URL. It must exist unless the options
    ///   contain ``DownloadOptions/createIntermediateDirectories``.
    /// - Returns: A closure for the argument `destination` of a download.
    public static func suggestedDownloadDestination(
        in directory: URL
    ) -> @Sendable (ResponseHead) -> URL {
        { head in
            directory.appendingPathComponent(head.suggestedFilename, isDirectory: false)
        }
    }
}
