import Foundation

/// A serializer that returns the URL of a downloaded file without reading it.
///
/// Another serializer judges the head.
struct DownloadSerializer: JudgedSerializer {
    var judge: HeadJudge

    func serialize(_ data: Data, head: ResponseHead?) throws -> URL {
        throw ResponseSerializationError.fileIsMissing
    }

    func serialize(file: URL, head: ResponseHead?) throws -> URL { file }
}
