import Foundation

/// Judges the response of a download; its file is the value, and never looked into.
struct DownloadSerializer: ResponseSerializer {
    var acceptableStatusCodes: Set<Int>?
    // A file may be of any type (AFNetworking, S16).
    var acceptableContentTypes: Set<String>?

    func serialize(_ data: Data, head: ResponseHead?) throws -> URL {
        throw ResponseSerializationError(reason: "the download has no file")
    }
}
