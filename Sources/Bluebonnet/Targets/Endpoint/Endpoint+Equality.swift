import Foundation
import FoundationNetworking

extension Endpoint: Hashable {
    /// Compares the requests, with their bodies, and the files and forms of uploads; where downloads go does not
    /// count.
    ///
    /// Two that cannot be built are equal if their URLs, methods and header fields are.
    public static func == (left: Endpoint, right: Endpoint) -> Bool {
        let ours = try? left.urlRequest()
        let theirs = try? right.urlRequest()
        guard left.task.hasSameUpload(as: right.task) else { return false }
        switch (ours, theirs) {
        case (let ours?, let theirs?): return ours.isEqual(to: theirs)
        case (nil, nil):
            return left.url == right.url && left.method == right.method
                && left.httpHeaderFields == right.httpHeaderFields
        default: return false
        }
    }

    /// Hashes the URL of the request and the method.
    public func hash(into hasher: inout Hasher) {
        let request = try? urlRequest()
        hasher.combine(request == nil ? url : request?.url?.absoluteString)
        hasher.combine(method)
    }
}

extension URLRequest {
    /// Whether the URL, the method, the header fields and the body are the same.
    func isEqual(to other: URLRequest) -> Bool {
        url == other.url && httpMethod == other.httpMethod
            && allHTTPHeaderFields ?? [:] == other.allHTTPHeaderFields ?? [:]
            && httpBody == other.httpBody && httpBodyStream === other.httpBodyStream
    }
}

extension TargetTask {
    /// Whether the file or the form of the upload is the same, or neither is an upload.
    func hasSameUpload(as other: TargetTask) -> Bool {
        switch (self, other) {
        case (.uploadFile(let file), .uploadFile(let other)): file == other
        case (.uploadFile, _), (_, .uploadFile): false
        default:
            switch (form, other.form) {
            case (let form?, let other?): form.hasSameParts(as: other)
            case (nil, nil): true
            default: false
            }
        }
    }

    /// The form that is sent; nil for none.
    var form: MultipartFormData? {
        switch self {
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _):
            form
        default: nil
        }
    }
}

extension MultipartFormData {
    /// Whether the parts send the same bytes, as far as that can be known: streams are never the same.
    fileprivate func hasSameParts(as other: MultipartFormData) -> Bool {
        parts.count == other.parts.count && zip(parts, other.parts).allSatisfy { $0.isSame(as: $1) }
    }
}

extension MultipartPart {
    fileprivate func isSame(as other: MultipartPart) -> Bool {
        guard fields == other.fields else { return false }
        switch (content, other.content) {
        case (.data(let data), .data(let other)): return data == other
        case (.file(let file), .file(let other)): return file.url == other.url
        default: return false
        }
    }
}
