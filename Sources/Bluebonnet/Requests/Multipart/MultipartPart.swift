import Foundation

/// A part of a form.
package struct MultipartPart: Sendable {
    package enum Content: Sendable {
        case data(Data)
        case file(MultipartFile)
        case stream(length: Int64, BodyStreamFactory)
    }

    /// The name of the field; nil for a part with its own header fields.
    let name: String?
    /// The position of the part in the form, counting from 1.
    let number: Int
    package let fields: [HTTPHeaders.Field]
    package let content: Content

    /// The number of bytes that the content has, or must have.
    package var length: Int64 {
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
    /// Returns the `Content-Disposition` field of a part in a form.
    ///
    /// It never has a `filename*`, which RFC 7578 section 4.2 forbids.
    package static func disposition(name: String, fileName: String? = nil) -> HTTPHeaders.Field {
        let file = fileName.map { "; filename=\($0.quotedForForm)" } ?? ""
        return HTTPHeaders.Field(
            name: "Content-Disposition", value: "form-data; name=\(name.quotedForForm)\(file)"
        )
    }
}

extension String {
    /// The text in double quotes, with quotes and line breaks percent-escaped as by browsers.
    ///
    /// See the "multipart/form-data encoding algorithm" of the HTML Living Standard. A `%` is not
    /// escaped. Browsers send other control characters as is. Here, all except the tab are escaped,
    /// because some servers treat one of them as the end of a line or of the text.
    fileprivate var quotedForForm: String {
        var text = "\""
        // Iterates over scalars, because CR LF is a single character.
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
