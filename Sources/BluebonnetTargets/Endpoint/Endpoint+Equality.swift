import BluebonnetChain

extension Endpoint: Hashable {
    /// Returns whether two endpoints send the same request.
    ///
    /// The requests are compared with their bodies, and with the files and forms of uploads. The
    /// destinations of downloads are ignored. Endpoints whose requests cannot be built are equal if
    /// their URLs, methods and header fields are equal.
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

    /// Hashes the URL and the method of the request.
    public func hash(into hasher: inout Hasher) {
        let request = try? urlRequest()
        hasher.combine(request == nil ? url : request?.url?.absoluteString)
        hasher.combine(method)
    }
}

extension URLRequest {
    /// Returns whether the URLs, methods, header fields and bodies are equal.
    func isEqual(to other: URLRequest) -> Bool {
        url == other.url && httpMethod == other.httpMethod
            && allHTTPHeaderFields ?? [:] == other.allHTTPHeaderFields ?? [:]
            && httpBody == other.httpBody && httpBodyStream === other.httpBodyStream
    }
}

extension TargetTask {
    /// Returns whether both tasks upload the same file or form, or neither uploads one.
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

    /// The form to upload; nil if there is none.
    var form: MultipartFormData? {
        switch self {
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _):
            form
        default: nil
        }
    }
}

extension MultipartFormData {
    /// Returns whether the parts send the same bytes; streams never compare as equal.
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
