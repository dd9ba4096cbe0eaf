import Foundation

@testable import Bluebonnet
@testable import BluebonnetTransport

/// What the parsers of single fields make of a value can be written down and is read the same.
enum FieldValueProperty {
    static func check(_ head: Exchange.Head) throws {
        for field in head.fields {
            switch field.name.lowercased() {
            case "set-cookie": try checkCookie(field.value)
            case "content-range": try checkRange(field.value)
            case "content-disposition": try checkDisposition(field.value)
            case "www-authenticate": try checkChallenges(field.value)
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
            "a cookie that is read otherwise again: \(line)"
        )
        if let date = cookie.expires {
            let years = -11_644_473_600.0..<253_402_300_800
            try require(years.contains(date.timeIntervalSince1970), "a date of no year: \(line)")
        }
    }

    private static func checkRange(_ text: String) throws {
        guard let range = ContentRange(text) else { return }
        let bounds = range.bounds.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*"
        let total = range.total.map(String.init) ?? "*"
        try require(ContentRange("bytes \(bounds)/\(total)") == range, "another range: \(text)")
        guard let bounds = range.bounds else { return }
        try require(
            bounds.lowerBound >= 0 && bounds.upperBound < range.total ?? .max, "bounds: \(text)")
    }

    private static func checkDisposition(_ text: String) throws {
        let disposition = ContentDisposition(text)
        guard let name = disposition.filename else { return }
        // By scalars, since a quote with a mark behind it is another character.
        var quoted = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
            quoted.append(scalar)
        }
        let again = ContentDisposition("attachment; filename=\"\(String(quoted))\"")
        try require(again.filename == name, "another file name: \(text)")
    }

    private static func checkChallenges(_ text: String) throws {
        let challenges = ChallengeParser.challenges(in: [text])
        try require(challenges.count <= ChallengeParser.maximumChallengeCount, "too many: \(text)")
        for challenge in challenges {
            try require(!challenge.isMalformed, "a challenge that is wrong: \(text)")
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
                "another challenge: \(text)")
        }
    }
}
