import CBluebonnet
import Foundation

/// The header fields of a request, or for a proxy alone, as the list of lines that libcurl sends.
///
/// Most requests of a pool have the same fields, so handles share the list. Used only on the loop
/// thread.
final class HeaderLines {
    private(set) var list: UnsafeMutablePointer<curl_slist>?
    private let fields: [Exchange.Field]
    private let hasBody: Bool
    /// Whether the fields ask to close the connection after this request (RFC 9112 section 9.6).
    private(set) var endsConnection = false

    init(for exchange: Exchange) throws(Exchange.Failure) {
        fields = exchange.fields
        hasBody = exchange.body != nil
        var hasType = false
        for field in fields {
            hasType = hasType || field.name.caseInsensitiveEquals("Content-Type")
            endsConnection = endsConnection || field.endsConnection
            try append(field)
        }
        if hasBody {
            // Without these, libcurl would wait a second before large bodies, and add a content
            // type.
            try append("Expect:")
            if !hasType { try append("Content-Type:") }
        }
    }

    /// Creates the lines for a proxy.
    init(_ fields: [Exchange.Field]) throws(Exchange.Failure) {
        self.fields = fields
        hasBody = false
        for field in fields { try append(field) }
    }

    deinit {
        curl_slist_free_all(list)
    }

    /// Returns whether another exchange sends the same lines.
    func fit(_ exchange: Exchange) -> Bool {
        hasBody == (exchange.body != nil) && fields == exchange.fields
    }

    private func append(_ field: Exchange.Field) throws(Exchange.Failure) {
        // libcurl omits a field without a value, unless a semicolon replaces the colon.
        try append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }

    private func append(_ line: String) throws(Exchange.Failure) {
        guard let longer = curl_slist_append(list, line) else {
            throw .noMemory
        }
        list = longer
    }
}

extension Exchange.Field {
    fileprivate var endsConnection: Bool {
        name.caseInsensitiveEquals("Connection")
            && value.split(separator: ",").contains {
                String($0.trimmed).caseInsensitiveEquals("close")
            }
    }
}
