/// How a downloaded file gets to its destination; the default is none of these.
public struct DownloadOptions: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: Int

    /// Makes options of bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Makes the directories on the way to the destination that are missing.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1 << 0)
    /// Replaces the file that is at the destination; without it, that file fails the download.
    ///
    /// A directory is never replaced.
    public static let removePreviousFile = DownloadOptions(rawValue: 1 << 1)
    /// Waits until file and directory entry are on the disk, so that both outlive a power cut.
    public static let synchronizes = DownloadOptions(rawValue: 1 << 2)
}
