/// The page of search results that ``ServedFile/medium`` holds, as a typed call reads it.
struct CatalogPage: Decodable, Sendable {
    struct Item: Decodable, Sendable {
        let id: Int
        let sku: String
        let title: String
        let price: Price
        let tags: [String]
        let isInStock: Bool
        let url: String

        enum CodingKeys: String, CodingKey {
            case id, sku, title, price, tags, url
            case isInStock = "in_stock"
        }
    }

    struct Price: Decodable, Sendable {
        let amount: Double
        let currency: String
    }

    let page: Int
    let items: [Item]
}
