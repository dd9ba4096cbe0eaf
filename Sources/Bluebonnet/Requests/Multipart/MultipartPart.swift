import Foundation

/// One part of a form.
struct MultipartPart: Sendable {
    enum Content: Sendable {
        case data(Data)
        case file(MultipartFile)
        case stream(length: Int64, BodyStreamFactory)
    }

    /// The field's name; nil for a part with headers of its own.
    let name: String?
    /// Its place in the form, counting from 1.
    let number: Int
    let fields: [HTTPHeaders.Field]
    let content: Content

    /// How many bytes its content has, or must have.
    var length: Int64 {
        switch content {
        case .data(let data): Int64(data.count)
        case .file(let file): file.length
        case .stream(let length, _): length
        }
    }

    func failure(_ reason: MultipartFailure.Reason) -> MultipartFailure {
        MultipartFailure(partName: name, partNumber: number, reason: reason)
    }
}

extension HTTPHeaders.Field {
    /// The field that makes a part one of a form.
    ///
    /// There is never a `filename*`, which RFC 7578 section 4.2 forbids.
    static func disposition(name: String, fileName: String? = nil) -> HTTPHeaders.Field {
        let file = fileName.map { "; filename=\($0.quotedForForm)" } ?? ""
        return HTTPHeaders.Field(
            name: "Content-Disposition", value: "form-data; name=\(name.quotedForForm)\(file)"
        )
    }
}

extension String {
    /// In double quotes, with what would end them or the line percent-escaped.
    ///
    /// That is how browsers do it (HTML Living Standard, "multipart/form-data encoding algorithm");
    /// a `%` stays as it is. Other control characters but the tab, which browsers send, are escaped
    /// too: some server takes one of them for the end of a line or of the text.
    fileprivate var quotedForForm: String {
        var text = "\""
        // Scalars, because CR LF is one character.
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            case _ where scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F:
                text +=
                    (scalar.value < 0x10 ? "%0" : "%")
                    + String(scalar.value, radix: 16, uppercase: true)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
