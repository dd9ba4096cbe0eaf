import Foundation

extension Exchange.Head {
    /// The values of all `Content-Encoding` fields; nil without one.
    var contentEncoding: String? {
        let values = block.values(of: .contentEncoding)
        return values.isEmpty ? nil : values.joined(separator: ",")
    }

    /// The unknown content codings, where a body behind this head could not be begun because of them.
    func unknownCodings(behind failure: Exchange.Failure) -> Exchange.ContentCodings? {
        // With too many of them none was looked at.
        guard failure.code == .cannotDecodeContentData, failure.limit == nil, let contentEncoding
        else { return nil }
        let names = ContentCoding.unknownNames(in: contentEncoding)
        return names.isEmpty ? nil : Exchange.ContentCodings(unknown: names)
    }
}
