/// Options for the file of a download; by default, none is set.
public struct DownloadOptions: OptionSet, Sendable, Hashable {
    /// The raw bits of the options.
    public let rawValue: Int

    /// Creates options from raw bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates missing directories in the path of the destination.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1 << 0)
    /// Replaces an existing file at the destination; without it, an existing file fails the
    /// download.
    ///
    /// The new file gets the permissions of the existing one and, if the process is allowed to set
    /// them, its owner and group. Without the group, it does not get the group's permissions. In a
    /// directory that everyone can write to, such as `/tmp`, another user's file passes on nothing.
    /// Of a symbolic link, the file that it leads to is replaced.
    /// Everything else fails the download: directories, devices, pipes, sockets, and links to a
    /// missing file.
    public static let removePreviousFile = DownloadOptions(rawValue: 1 << 1)
    /// Waits until the file and its directory entry are on disk, so that both survive a power
    /// failure.
    public static let synchronizes = DownloadOptions(rawValue: 1 << 2)
    /// Keeps the bytes of a download that fails or is canceled, if it can be resumed, so that its
    /// error has ``BluebonnetError/resumeData``.
    ///
    /// It applies however the download is canceled: by ``SessionTask/cancel()``, with the Swift task
    /// that awaits it, or by the shutdown of its manager.
    ///
    /// After a failure, some downloads keep the bytes even without the option: those with resume
    /// data, a chain's with a destination, and the tasks of
    /// ``SessionManager/downloadTask(with:validatedBy:destination:options:progress:completionHandler:)``.
    ///
    /// The bytes are in a hidden file. A later download to the same destination replaces it.
    public static let keepsPartialFile = DownloadOptions(rawValue: 1 << 3)
}
