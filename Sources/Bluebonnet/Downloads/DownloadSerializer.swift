import Foundation

/// Gives the file of a download, which is never looked into, where another serializer accepts its head.
struct DownloadSerializer: JudgedSerializer {
    var judge: HeadJudge

    func serialize(_ data: Data, head: ResponseHead?) throws -> URL {
        throw ResponseSerializationError.fileIsMissing
    }

    func serialize(file: URL, head: ResponseHead?) throws -> URL { file }
}
