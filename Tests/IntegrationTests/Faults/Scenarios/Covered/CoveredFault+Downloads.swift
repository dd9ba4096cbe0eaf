import Bluebonnet

// Files that a response is written to.
extension CoveredFault {
    static let downloads = [
        CoveredFault(
            "81a", "a full disk", .file,
            "fails, with resume data if the response can be resumed",
            Place(
                "DownloadDiskTests",
                "a full disk is the error, however the exchange ends, and has resume data (fault 81)"
            ),
            Place(
                "DownloadDiskTests",
                "a full disk leaves no file if the download cannot be resumed"),
            Place(
                "DownloadFileFaultTests",
                "writing to a file system that fills up fails")),
        CoveredFault(
            "81b", "a directory without write permission", .file,
            "fails before reading the body",
            Place(
                "DownloadFileTests",
                "a directory without write permission fails"),
            Place(
                "DownloadFileTests",
                "a path that is not a writable directory fails at once")),
        CoveredFault(
            "81c", "a directory that is missing or removed during the download", .file,
            "fails and creates no file elsewhere",
            Place(
                "DownloadTaskTests",
                "a missing directory fails the task unless the option creates it"),
            Place(
                "DownloadFileMoveTests",
                "a directory removed during the transfer is an error (fault 81)"),
            Place(
                "DownloadBytesTests",
                "a missing directory ends an endless response")),
        CoveredFault(
            "81d", "an existing file at the destination", .file,
            "fails early and leaves it unchanged, unless the options replace it",
            Place(
                "DownloadTaskTests",
                "an existing file at the destination fails the task early and is unchanged"),
            Place(
                "DownloadFileMoveTests",
                "nothing is replaced without the option (fault 81)")),
        CoveredFault(
            "81g", "a device, pipe, socket, or dangling link at the destination", .file,
            "fails early and leaves it unchanged, whatever the options",
            Place(
                "DownloadTaskTests",
                "a destination that cannot be replaced fails the task early")),
        CoveredFault(
            "81h", "downloads to one destination that fail again and again", .file,
            "leaves at most one partial file, and none where it is not wanted",
            Place("LeftFileTests", "downloads to one destination leave at most one file"),
            Place("LeftFileTests", "so does one that cannot be moved"),
            Place("LeftFileTests", "so does one on a full disk")),
        CoveredFault(
            "81e", "a failing fsync", .file,
            "fails and keeps no file to resume from",
            Place(
                "DownloadFileMoveTests",
                "a directory that fails to synchronize is an error, unless its file system cannot"),
            Place(
                "DownloadFileResumeTests",
                "a file that cannot be synchronized is not kept for a resume")),
        CoveredFault(
            "81f", "a failing move to the destination", .file,
            "fails and changes nothing there",
            Place(
                "DownloadFileMoveTests",
                "a failed move changes nothing at the destination (fault 81)"),
            Place(
                "DownloadTaskTests",
                "a failed move is the task's error and posts a notification")),
        CoveredFault(
            "82a", "a resumed download of a file that has changed on the server", nil,
            "downloads the whole new file",
            Place(
                "DownloadRangeTests",
                "a file that has changed on the server is downloaded again (fault 82)")),
        CoveredFault(
            "82b", "a resumed download is answered with 200", nil,
            "starts again with that body",
            Place(
                "DownloadResumeTests",
                "a 200 starts over with its own body (fault 82)")),
        CoveredFault(
            "82c", "a resumed download is answered with 416", nil,
            "finishes if the length shows that the file is complete, otherwise starts again",
            Place(
                "DownloadResumeTests",
                "a 416 that confirms the length completes the file and ignores the body (fault 82)"),
            Place(
                "DownloadRangeTests",
                "a 416 with a body completes a file that was whole (fault 82)"),
            Place(
                "ResumeRecordTests",
                "416 completes the file if the length equals the offset, and is a mismatch otherwise"
            )),
        CoveredFault(
            "82d", "a resumed download receives another range, entity tag or total", nil,
            "requests the whole file",
            Place(
                "DownloadResumeTests",
                "another range, tag or total, or none, starts over without a range (fault 82)"
            )),
        CoveredFault(
            "82e", "a resumed download is interrupted repeatedly", .connectionLost,
            "fails each time with resume data",
            Place(
                "DownloadResumeTests",
                "a download that breaks a hundred times at random places is whole in the end (fault 82)"
            ),
            Place(
                "DownloadRangeTests",
                "a download that breaks ten times is resumed ten times, with the right bytes (fault 82)"
            )),
        CoveredFault(
            "82f", "a partial file that is shorter than its offset, changed or missing", nil,
            "requests the whole file",
            Place(
                "DownloadResumeTests",
                "a partial file that is missing, shorter or changed starts the download over (fault 82)"
            ),
            Place(
                "DownloadFileResumeTests",
                "a file that is shorter, changed, missing or another kind is refused and left (fault 82)"
            )),
        CoveredFault(
            "93d", "a download with a path in its suggested file name", nil,
            "writes only into the directory and replaces nothing",
            Place(
                "DownloadDiskTests",
                "a name with a path leads to no file outside the directory and replaces none (fault 93)"
            ),
            Place(
                "SuggestedFilenameTests",
                "the name is harmless (fault 93)"),
            Place(
                "SuggestedFilenameTests",
                "any suggested name is a file in the directory")),
        CoveredFault(
            "96", "a disk that hangs while a download is written", nil,
            "delays only that download",
            Place(
                "DownloadFileTests",
                "a disk that hangs delays only its own download")),
        CoveredFault(
            "97", "damaged or foreign resume data", .invalidRequest,
            "fails and sends nothing",
            Place(
                "DownloadResumeTests",
                "foreign or damaged resume data fails the task without sending"),
            Place(
                "ResumeRecordTests",
                "foreign, cut and huge data is refused, and no changed byte traps")),
    ]
}
