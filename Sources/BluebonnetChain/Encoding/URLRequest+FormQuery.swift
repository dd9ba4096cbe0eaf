import Bluebonnet

extension URLRequest {
    static let formContentType = "application/x-www-form-urlencoded; charset=utf-8"

    /// Appends a form to the query of the URL, before its fragment; an empty form changes nothing.
    ///
    /// Characters of the existing query are escaped where necessary. Its empty segments, such as
    /// the one after a final `&`, are removed.
    mutating func appendForm(_ form: String) throws(RequestSerializationError) {
        guard !form.isEmpty, let url else { return }
        let text = url.absoluteString
        let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let base = text[..<fragment]
        let mark = base.utf8.firstIndex(of: UInt8(ascii: "?")) ?? base.endIndex
        let segments = [base[mark...].dropFirst(), Substring(form)].flatMap {
            $0.split(separator: "&")
        }
        let query = PercentEncoding.repaired(query: segments.joined(separator: "&"))
        let result = "\(base[..<mark])?\(query)\(text[fragment...])"
        guard let url = URL(string: result, encodingInvalidCharacters: false) else {
            throw RequestSerializationError(
                reason: "\(text.withoutURLSecrets.quoted) and the query do not form a valid URL")
        }
        self.url = url
    }
}
