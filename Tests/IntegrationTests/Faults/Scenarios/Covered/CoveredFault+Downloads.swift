import Bluebonnet

// Files that a response is written to.
extension CoveredFault {
    static let downloads = [
        CoveredFault(
            "81a", "a full disk", .file,
            "fails, with resume data if the response can be resumed",
            Place(
                "DownloadDiskTests",
                "a full disk is the error, whatever the end of the exchange says, with data to go on (fault 81)"
            ),
            Place(
                "DownloadDiskTests",
                "a full disk leaves nothing where the download cannot be gone on with"),
            Place(
                "DownloadFileFaultTests",
                "a file system that fills up")),
        CoveredFault(
            "81b", "a directory without write permission", .file,
            "fails before reading the body",
            Place(
                "DownloadFileTests",
                "a directory without write permission"),
            Place(
                "DownloadFileTests",
                "what is no directory, or none to be written to, fails at once")),
        CoveredFault(
            "81c", "a directory that is missing or removed during the download", .file,
            "fails and creates no file elsewhere",
            Place(
                "DownloadTaskTests",
                "a directory that is missing fails the task, unless it is to be made"),
            Place(
                "DownloadFileMoveTests",
                "the directory is removed while the body arrives (fault 81)"),
            Place(
                "DownloadBytesTests",
                "a directory that is missing ends an endless response")),
        CoveredFault(
            "81d", "an existing file at the destination", .file,
            "fails early and leaves it unchanged, unless the options replace it",
            Place(
                "DownloadTaskTests",
                "what is at the destination already fails the task early, and stays as it is"),
            Place(
                "DownloadFileMoveTests",
                "nothing is replaced without the option (fault 81)")),
        CoveredFault(
            "81e", "a failing fsync", .file,
            "fails and keeps no file to resume from",
            Place(
                "DownloadFileMoveTests",
                "a directory that cannot be synchronized is told of, unless its kind never can"),
            Place(
                "DownloadFileResumeTests",
                "a file whose synchronization fails is not kept for a resume")),
        CoveredFault(
            "81f", "a failing move to the destination", .file,
            "fails and changes nothing there",
            Place(
                "DownloadFileMoveTests",
                "a move that fails changes nothing at the destination (fault 81)"),
            Place(
                "DownloadTaskTests",
                "a move that fails is the task's error, and a notification (C1, S15)")),
        CoveredFault(
            "82a", "a resumed download of a file that has changed on the server", nil,
            "downloads the whole new file",
            Place(
                "DownloadRangeTests",
                "a server that has another file since gives the whole new one (fault 82)")),
        CoveredFault(
            "82b", "a resumed download is answered with 200", nil,
            "starts again with that body",
            Place(
                "DownloadResumeTests",
                "a 200 starts again with its own body (fault 82)")),
        CoveredFault(
            "82c", "a resumed download is answered with 416", nil,
            "finishes if the length shows that the file is complete, otherwise starts again",
            Place(
                "DownloadResumeTests",
                "a 416 that says the file is whole finishes it, whatever its body says (fault 82)"),
            Place(
                "DownloadRangeTests",
                "a 416 with a body finishes a file that was whole (fault 82)"),
            Place(
                "ResumeRecordTests",
                "416 is the end where the length is the offset, and a mismatch elsewhere")),
        CoveredFault(
            "82d", "a resumed download receives another range, entity tag or total", nil,
            "requests the whole file",
            Place(
                "DownloadResumeTests",
                "another range, tag or total, or none, asks for the whole again, without a range (fault 82)"
            )),
        CoveredFault(
            "82e", "a resumed download is interrupted repeatedly", .connectionLost,
            "fails each time with resume data",
            Place(
                "DownloadResumeTests",
                "broken a hundred times at random places, at once after its bytes, it is whole in the end (fault 82)"
            ),
            Place(
                "DownloadRangeTests",
                "a download that breaks ten times is gone on with ten times, and has the right bytes (fault 82)"
            )),
        CoveredFault(
            "82f", "a partial file that is shorter than its offset, changed or missing", nil,
            "requests the whole file",
            Place(
                "DownloadResumeTests",
                "a partial file that is missing, shorter or changed asks for the whole, even after the response's end (fault 82)"
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
                "a name with a path in it leads to no file outside the directory, and replaces none (fault 93)"
            ),
            Place(
                "SuggestedFilenameTests",
                "is a harmless name (fault 93)"),
            Place(
                "SuggestedFilenameTests",
                "whatever comes, a file of that name is one in the directory")),
        CoveredFault(
            "96", "a disk that hangs while a download is written", nil,
            "delays only that download",
            Place(
                "DownloadFileTests",
                "a disk that hangs holds up its own download only")),
        CoveredFault(
            "97", "damaged or foreign resume data", .invalidRequest,
            "fails and sends nothing",
            Place(
                "DownloadResumeTests",
                "foreign and damaged data fails the task, and nothing is sent"),
            Place(
                "ResumeRecordTests",
                "foreign, cut and huge data is refused, and no byte that changes makes it trap")),
    ]
}
