/// Short messages with much metadata, in many scripts, like those of Twitter.
struct Timeline: Codable, Sendable {
    struct Status: Codable, Sendable {
        let id: UInt64
        let createdAt: String
        let text: String
        let source: String
        let isTruncated: Bool
        let replyTo: UInt64?
        let user: User
        let retweetCount: Int
        let favoriteCount: Int
        let entities: Entities
        let isFavorited: Bool
        let language: String

        enum CodingKeys: String, CodingKey {
            case id, text, source, user, entities
            case createdAt = "created_at"
            case isTruncated = "truncated"
            case replyTo = "in_reply_to_status_id"
            case retweetCount = "retweet_count"
            case favoriteCount = "favorite_count"
            case isFavorited = "favorited"
            case language = "lang"
        }
    }

    struct User: Codable, Sendable {
        let id: UInt64
        let name: String
        let screenName: String
        let location: String
        let description: String
        let url: String?
        let isProtected: Bool
        let followersCount: Int
        let friendsCount: Int
        let timeZone: String?
        let isVerified: Bool
        let imageURL: String

        enum CodingKeys: String, CodingKey {
            case id, name, location, description, url
            case screenName = "screen_name"
            case isProtected = "protected"
            case followersCount = "followers_count"
            case friendsCount = "friends_count"
            case timeZone = "time_zone"
            case isVerified = "verified"
            case imageURL = "profile_image_url"
        }
    }

    struct Entities: Codable, Sendable {
        struct Tag: Codable, Sendable {
            let text: String
            let indices: [Int]
        }
        let hashtags: [Tag]
    }

    let statuses: [Status]

    static func text(_ count: Int) -> String {
        let statuses = (0..<count).map(status).joined(separator: ",")
        return "{\"statuses\":[\(statuses)],\"search_metadata\":{\"count\":\(count)}}"
    }

    private static func status(_ number: Int) -> String {
        let id = 505_874_924_095_815_681 + UInt64(number) * 7919
        return """
            {"metadata":{"result_type":"recent","iso_language_code":"ja"},\
            "created_at":"Sun Aug 31 00:29:15 +0000 2014","id":\(id),"id_str":"\(id)",\
            "text":"@person\(number) 名前:前田あゆみ\\n第一印象:なんか怖っ! https:\\/\\/t.co\\/Xy\(number)",\
            "source":"<a href=\\"http:\\/\\/twitter.com\\" rel=\\"nofollow\\">Web<\\/a>",\
            "truncated":\(number % 5 == 0),"in_reply_to_status_id":\(number % 3 == 0 ? "\(id)" : "null"),\
            "in_reply_to_screen_name":null,"user":{"id":\(1_186_275_104 + number),\
            "id_str":"\(1_186_275_104 + number)","name":"AYUMI 🌸","screen_name":"ayumi\(number)",\
            "location":"東京","description":"元野球部マネージャー❤︎…最高の夏をありがとう…❤︎","url":null,\
            "entities":{"description":{"urls":[]}},"protected":false,"followers_count":\(number * 7),\
            "friends_count":252,"listed_count":0,"favourites_count":235,"utc_offset":null,\
            "time_zone":null,"geo_enabled":false,"verified":false,"statuses_count":1769,\
            "lang":"en","profile_background_color":"C0DEED","profile_image_url":\
            "http:\\/\\/pbs.twimg.com\\/profile_images\\/\(id)\\/normal.jpeg","default_profile":true},\
            "geo":null,"coordinates":null,"retweet_count":\(number % 11),"favorite_count":0,\
            "entities":{"hashtags":[{"text":"花\(number)","indices":[3,9]}],"symbols":[],"urls":[]},\
            "favorited":false,"retweeted":false,"lang":"ja"}
            """
    }
}
