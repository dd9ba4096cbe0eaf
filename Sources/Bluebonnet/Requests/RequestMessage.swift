import BluebonnetTransport

/// The content of a request, as it is sent.
struct RequestMessage {
    let method: String
    let url: String
    var fields: [Exchange.Field]
    var body: Exchange.Body?

    func exchange(under terms: Exchange.Terms, pool: Exchange.Pool) -> Exchange {
        Exchange(
            method: method, url: url, fields: fields, body: body, terms: terms, pool: pool)
    }
}
