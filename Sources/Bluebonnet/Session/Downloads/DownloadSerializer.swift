import Foundation

/// Judges the response of a download; its file is the value, and never looked into.
struct DownloadSerializer: ResponseSerializer {
    /// Judges heads as the manager's own does, but for their content type: a file may be of any
    /// (AFNetworking, S16).
    private var judge: any ResponseSerializer

    var acceptableStatusCodes: Set<Int>? {
        get { judge.acceptableStatusCodes }
        set { judge.acceptableStatusCodes = newValue }
    }

    var acceptableContentTypes: Set<String>? {
        get { judge.acceptableContentTypes }
        set { judge.acceptableContentTypes = newValue }
    }

    init(judgingAs serializer: any ResponseSerializer) {
        judge = serializer.acceptingEveryType
    }

    func validate(_ head: ResponseHead) throws(BluebonnetError) {
        do {
            try judge.validate(head)
        } catch .unacceptableContentType {
            // What has types of its own besides those that were taken away.
        }
    }

    func serialize(_ data: Data, head: ResponseHead?) throws -> URL {
        throw ResponseSerializationError(reason: "the download has no file")
    }
}

extension ResponseSerializer {
    /// The same without its list of content types, and without those of its members.
    fileprivate var acceptingEveryType: any ResponseSerializer {
        var lax = self
        lax.acceptableContentTypes = nil
        guard var compound = lax as? CompoundResponseSerializer else { return lax }
        compound.serializers = compound.serializers.map { $0.acceptingEveryType }
        return compound
    }
}
