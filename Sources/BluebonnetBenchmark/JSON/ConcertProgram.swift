/// A document with names by number and many small objects, like the catalog of a concert hall.
struct Program: Codable, Sendable {
    struct Event: Codable, Sendable {
        let id: Int
        let name: String
        let logo: String?
        let topicIds: [Int]
        let subjectCode: Int?
    }

    struct Performance: Codable, Sendable {
        struct SeatCategory: Codable, Sendable {
            struct Area: Codable, Sendable {
                let areaId: Int
                let blockIds: [Int]
            }
            let seatCategoryId: Int
            let areas: [Area]
        }
        struct Price: Codable, Sendable {
            let amount: Int
            let seatCategoryId: Int
        }
        let id: Int
        let eventId: Int
        let start: Int
        let venueCode: String
        let prices: [Price]
        let seatCategories: [SeatCategory]
    }

    let areaNames: [String: String]
    let events: [String: Event]
    let performances: [Performance]

    static func text(_ count: Int) -> String {
        let names = (0..<count).map { "\"\(205_705_993 + $0)\":\"Arrière-scène centrale \($0)\"" }
        let events = (0..<count).map {
            """
            "\(138_586_341 + $0)":{"description":null,"id":\(138_586_341 + $0),"logo":\
            \($0 % 2 == 0 ? "null" : "\"/images/UE0AAAAACEKo6QAAAAZDSVRN\""),"name":"30th Anniversary \
            Tour \($0)","subTopicIds":[337184269,337184283],"subjectCode":null,"topicIds":[324846099,\
            107888604]}
            """
        }
        let performances = (0..<count).map(performance)
        return """
            {"areaNames":{\(names.joined(separator: ","))},"events":{\(events.joined(separator: ","))},\
            "performances":[\(performances.joined(separator: ","))]}
            """
    }

    private static func performance(_ number: Int) -> String {
        let areas = (0..<6).map {
            "{\"areaId\":\(205_705_999 + $0),\"blockIds\":[\($0),\($0 + 1)]}"
        }
        let categories = (0..<3).map {
            "{\"areas\":[\(areas.joined(separator: ","))],\"seatCategoryId\":\(338_937_295 + $0)}"
        }
        let prices = (0..<3).map {
            "{\"amount\":\(90_250 + $0),\"audienceSubCategoryId\":337100890,\"seatCategoryId\":\($0)}"
        }
        return """
            {"eventId":\(138_586_341 + number),"id":\(339_887_544 + number),"logo":null,"name":null,\
            "prices":[\(prices.joined(separator: ","))],"seatCategories":\
            [\(categories.joined(separator: ","))],"seatMapImage":null,"start":1372701600000,\
            "venueCode":"PLEYEL_PLEYEL"}
            """
    }
}
