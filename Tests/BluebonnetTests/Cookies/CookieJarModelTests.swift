import Foundation
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("CookieJar against a model", .timeLimit(.minutes(5)))
struct CookieJarModelTests {
    static let hosts = [
        "example.com", "a.example.com", "b.example.com", "c.a.example.com", "notexample.com",
        "example.co.uk", "a.example.co.uk", "x.github.io", "github.io", "localhost", "10.0.0.1",
    ]
    static let domains = hosts + ["com", "co.uk", "uk", "0.0.1"]
    static let paths = ["/", "/a", "/a/", "/a/b", "/ab", "/b"]

    @Test("random sequences of responses and requests send the same fields", arguments: 1...30)
    func sequences(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = (0..<(seed % 3 == 0 ? 40 : 4)).map { "n\($0)" }
        var jar = CookieJar()
        var model = CookieModel()
        var time = 0.0
        for step in 0..<600 {
            time += Double.random(in: 0...4, using: &random)
            let host = try #require(Self.hosts.randomElement(using: &random))
            let path = try #require(Self.paths.randomElement(using: &random))
            let scheme = Bool.random(using: &random) ? "https" : "http"
            let url = try #require(URL(string: "\(scheme)://\(host)\(path)"))
            if Int.random(in: 0..<3, using: &random) > 0 {
                let cookies = (0...Int.random(in: 0..<4, using: &random)).map { number in
                    ModelCookie(value: "\(step).\(number)", names: names, random: &random)
                }
                jar.store(
                    cookies.map { $0.line(&random) }, from: url, at: start + time)
                for cookie in cookies { model.receive(cookie, scheme, host, path, time) }
            } else if Int.random(in: 0..<40, using: &random) == 0 {
                jar.removeSessionCookies()
                model.kept.removeAll { $0.deadline == nil }
            } else {
                let header = jar.cookieHeader(for: url, at: start + time)
                try #require(
                    header == model.header(scheme, host, path, time), "step \(step) of \(seed)")
            }
        }
        jar.removeExpired(at: start + time)
        #expect(jar.count == model.kept.count { $0.deadline.map { $0 > time } ?? true })
        #expect(jar.count == jar.all.count)
    }
}

/// A cookie with its attributes.
private struct ModelCookie {
    var name: String
    var value: String
    var domain: String?
    var path: String?
    var maxAge: Double?
    var isSecure: Bool
    var isHostOnly = true
    var deadline: Double?
    var made = 0
    var used = 0

    init(value: String, names: [String], random: inout SeededGenerator) {
        name = names.randomElement(using: &random) ?? "n"
        self.value = value
        domain =
            Bool.random(using: &random)
            ? CookieJarModelTests.domains.randomElement(using: &random) : nil
        path =
            Bool.random(using: &random)
            ? CookieJarModelTests.paths.randomElement(using: &random) : nil
        maxAge =
            Bool.random(using: &random) ? Double(Int.random(in: -5...300, using: &random)) : nil
        isSecure = Int.random(in: 0..<4, using: &random) == 0
    }

    func line(_ random: inout SeededGenerator) -> String {
        var attributes: [String] = []
        if let domain { attributes.append("Domain=\(domain)") }
        if let path { attributes.append("Path=\(path)") }
        if let maxAge { attributes.append("Max-Age=\(Int(maxAge))") }
        if isSecure { attributes.append("Secure") }
        let parts = ["\(name)=\(value)"] + attributes.shuffled(using: &random)
        return parts.joined(separator: Bool.random(using: &random) ? "; " : " ;\t")
    }
}

/// The rules of RFC 6265 in the simplest form: one list that is searched linearly.
private struct CookieModel {
    static let suffixes: Set = ["com", "co.uk", "uk", "github.io", "localhost"]
    var kept: [ModelCookie] = []
    var ticks = 0

    static func covers(_ domain: String, _ host: String) -> Bool {
        host == domain || (host.hasSuffix("." + domain) && host != "10.0.0.1")
    }

    static func covers(path: String, _ requested: String) -> Bool {
        requested == path || requested.hasPrefix(path.hasSuffix("/") ? path : path + "/")
    }

    mutating func receive(
        _ cookie: ModelCookie, _ scheme: String, _ host: String, _ path: String, _ time: Double
    ) {
        var cookie = cookie
        if cookie.isSecure && scheme == "http" { return }
        if let domain = cookie.domain {
            guard Self.covers(domain, host) else { return }
            let isSuffix = Self.suffixes.contains(domain)
            if isSuffix && domain != host { return }
            cookie.isHostOnly = isSuffix || host == "10.0.0.1"
        }
        let domain = cookie.domain ?? host
        cookie.domain = domain
        let parent = path.components(separatedBy: "/").dropLast().joined(separator: "/")
        let ownPath = cookie.path ?? (parent.isEmpty ? "/" : parent)
        cookie.path = ownPath
        kept.removeAll { ($0.deadline ?? .infinity) <= time }
        let isBlocked = kept.contains { other in
            guard let otherDomain = other.domain, let otherPath = other.path else { return false }
            return other.isSecure && other.name == cookie.name
                && (Self.covers(otherDomain, domain) || Self.covers(domain, otherDomain))
                && Self.covers(path: otherPath, ownPath)
        }
        if scheme == "http" && isBlocked { return }
        ticks += 1
        cookie.made = ticks
        cookie.used = ticks
        cookie.deadline = cookie.maxAge.map { $0 <= 0 ? -.infinity : time + $0 }
        if let old = kept.firstIndex(where: {
            $0.name == cookie.name && $0.domain == domain && $0.path == ownPath
        }) {
            cookie.made = kept.remove(at: old).made
        }
        if let deadline = cookie.deadline, deadline <= time { return }
        kept.append(cookie)
        keepLimit(domain, time)
    }

    private mutating func keepLimit(_ domain: String, _ time: Double) {
        guard kept.count(where: { $0.domain == domain }) > 50 else { return }
        kept.removeAll { $0.domain == domain && ($0.deadline ?? .infinity) <= time }
        while kept.count(where: { $0.domain == domain }) > 50 {
            let order = kept.filter { $0.domain == domain }.sorted { left, right in
                if left.isSecure != right.isSecure { return right.isSecure }
                return left.used == right.used ? left.made < right.made : left.used < right.used
            }
            let made = order.first?.made
            kept.removeAll { $0.made == made }
        }
    }

    mutating func header(
        _ scheme: String, _ host: String, _ path: String, _ time: Double
    ) -> String? {
        ticks += 1
        kept.removeAll { ($0.deadline ?? .infinity) <= time }
        var sent: [ModelCookie] = []
        for place in kept.indices {
            let cookie = kept[place]
            guard let domain = cookie.domain, let ownPath = cookie.path,
                cookie.isHostOnly ? host == domain : Self.covers(domain, host),
                Self.covers(path: ownPath, path), scheme == "https" || !cookie.isSecure
            else { continue }
            kept[place].used = ticks
            sent.append(cookie)
        }
        sent.sort { left, right in
            let (leftLength, rightLength) = (left.path?.count ?? 0, right.path?.count ?? 0)
            return leftLength == rightLength ? left.made < right.made : leftLength > rightLength
        }
        return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
