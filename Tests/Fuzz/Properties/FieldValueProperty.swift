import Foundation

@testable import Bluebonnet
@testable import BluebonnetTransport

/// The property that the parsed value of a field can be written and is then read as the same value.
enum FieldValueProperty {
    static func check(_ head: Exchange.Head) throws {
        for field in head.fields {
            switch field.name.lowercased() {
            case "set-cookie": try checkCookie(field.value)
            case "content-range": try checkRange(field.value)
            case "content-disposition": try checkDisposition(field.value)
            case "www-authenticate": try checkChallenges(field.value)
            case "link": try checkLinks(field.value)
            default: break
            }
        }
    }

    private static func checkCookie(_ line: String) throws {
        guard let cookie = SetCookie(line) else { return }
        for text in [cookie.name, cookie.value, cookie.path ?? "", cookie.domain ?? ""] {
            let isClean = text.utf8.allSatisfy { ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }
            try require(isClean, "a cookie with a control character: \(line)")
            try require(!text.utf8.contains(UInt8(ascii: ";")), "two attributes in one: \(line)")
        }
        try require(!cookie.name.isEmpty, "a cookie without a name: \(line)")
        let again = SetCookie("\(cookie.name)=\(cookie.value)")
        try require(
            again?.name == cookie.name && again?.value == cookie.value,
            "a cookie that changes when read again: \(line)"
        )
        if let date = cookie.expires {
            let years = -11_644_473_600.0..<253_402_300_800
            try require(years.contains(date.timeIntervalSince1970), "an invalid date: \(line)")
        }
    }

    private static func checkRange(_ text: String) throws {
        guard let range = ContentRange(text) else { return }
        let bounds = range.bounds.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*"
        let total = range.total.map(String.init) ?? "*"
        try require(ContentRange("bytes \(bounds)/\(total)") == range, "wrong range: \(text)")
        guard let bounds = range.bounds else { return }
        try require(
            bounds.lowerBound >= 0 && bounds.upperBound < range.total ?? .max, "bounds: \(text)")
    }

    private static func checkDisposition(_ text: String) throws {
        let disposition = ContentDisposition(text)
        guard let name = disposition.filename else { return }
        // By scalars, because a quote followed by a combining mark is a different character.
        var quoted = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
            quoted.append(scalar)
        }
        let again = ContentDisposition("attachment; filename=\"\(String(quoted))\"")
        try require(again.filename == name, "wrong file name: \(text)")
    }

    private static func checkLinks(_ text: String) throws {
        guard let url = URL(string: "https://example.com/a/b?c") else { return }
        let links = ResponseHead(statusCode: 200, headers: ["Link": text], url: url).links
        for link in links {
            let isName = !link.relation.isEmpty && link.relation == link.relation.lowercased()
            try require(isName, "an invalid relation: \(text)")
            let parameters = link.parameters.sorted { $0.key < $1.key }
                .map { "; \($0.key)=\($0.value.quotedString)" }.joined()
            let line = """
                <\(link.target.absoluteString)>; rel=\(link.relation.quotedString); \
                anchor="\(link.context.absoluteString)"\(parameters)
                """
            let again = ResponseHead(statusCode: 200, headers: ["Link": line], url: url).links
            try require(again == [link], "wrong link: \(text)")
        }
    }

    private static func checkChallenges(_ text: String) throws {
        let challenges = ChallengeParser.challenges(in: [text])
        try require(challenges.count <= ChallengeParser.maximumChallengeCount, "too many: \(text)")
        for challenge in challenges {
            try require(!challenge.isMalformed, "a malformed challenge: \(text)")
            var line = challenge.scheme.name
            if let token = challenge.token68 {
                line += " " + token
            } else {
                let parameters = challenge.parameters.map { "\($0)=\($1.quotedString)" }
                line += " " + parameters.joined(separator: ", ")
            }
            let again = ChallengeParser.challenges(in: [line])
            try require(
                line.utf8.count > ChallengeParser.maximumValueSize || again == [challenge],
                "wrong challenge: \(text)")
        }
    }
}
