/// A page of search results, the content of ``ServedFile/medium``, as a typed call decodes it.
struct CatalogPage: Codable, Sendable {
    struct Item: Codable, Sendable {
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

    struct Price: Codable, Sendable {
        let amount: Double
        let currency: String
    }

    let page: Int
    let items: [Item]
}

extension CatalogPage {
    /// Returns a page of about this many bytes.
    static func text(_ size: Int) -> String { text(size) { Item.text($0) } }

    /// Returns the same page with the keys in the opposite order.
    static func reversedText(_ size: Int) -> String { text(size) { Item.reversedText($0) } }

    private static func text(_ size: Int, _ item: (Int) -> String) -> String {
        var items: [String] = []
        var count = 0
        while count < size {
            let item = item(1000 + items.count)
            items.append(item)
            count += item.utf8.count + 1
        }
        return #"{"page":1,"items":["# + items.joined(separator: ",") + "]}"
    }
}

extension CatalogPage.Item {
    /// Returns one product.
    static func text(_ id: Int) -> String {
        """
        {"id":\(id),"sku":"BB-\(id * 7919)","title":"Wildflower seeds, packet \(id)",\
        "price":{"amount":\(Double(id % 97) + 0.5),"currency":"USD"},\
        "tags":["spring","native","full sun"],"in_stock":\(id % 3 != 0),\
        "url":"https://example.com/products/\(id)"}
        """
    }

    static func reversedText(_ id: Int) -> String {
        """
        {"url":"https://example.com/products/\(id)","in_stock":\(id % 3 != 0),\
        "tags":["spring","native","full sun"],"price":{"currency":"USD",\
        "amount":\(Double(id % 97) + 0.5)},"title":"Wildflower seeds, packet \(id)",\
        "sku":"BB-\(id * 7919)","id":\(id)}
        """
    }
}
