import Foundation
import Testing

import Bluebonnet

@Suite("Link fields (RFC 8288)")
struct ResponseHeadLinkTests {
    private func head(_ values: String...) throws -> ResponseHead {
        var headers = HTTPHeaders()
        for value in values { headers.add("Link", value) }
        let url = try #require(URL(string: "https://example.com/users/list?page=1"))
        return ResponseHead(statusCode: 200, headers: headers, url: url)
    }

    private func texts(_ values: String...) throws -> [String] {
        var headers = HTTPHeaders()
        for value in values { headers.add("link", value) }
        let url = try #require(URL(string: "https://example.com/users/list?page=1"))
        return ResponseHead(statusCode: 200, headers: headers, url: url).links.map {
            "\($0.relation) \($0.target.absoluteString)"
        }
    }

    @Test(
        "links are parsed by bytes",
        arguments: [
            (#"<https://x.org/a>; rel="next""#, ["next https://x.org/a"]),
            ("<https://x.org/a>;rel=next", ["next https://x.org/a"]),
            (" \t<https://x.org/a> ;\t REL = next ", ["next https://x.org/a"]),
            (
                #"<https://x.org/a,b;c>; title="a, \"b\"; <c>"; rel="prev", <https://x.org/d>; rel=next"#,
                ["prev https://x.org/a,b;c", "next https://x.org/d"]
            ),
            (
                ",, <https://x.org/a>; rel=next,,<https://x.org/b>; rel=last,",
                ["next https://x.org/a", "last https://x.org/b"]
            ),
            ("<https://x.org/a>; rel=next; rel=prev", ["next https://x.org/a"]),
            (
                #"<https://x.org/a>; rel="NEXT  last""#,
                ["next https://x.org/a", "last https://x.org/a"]
            ),
            ("<https://x.org/a>;; ;rel=next", ["next https://x.org/a"]),
            ("<https://x.org/a>; =x; rel=next", ["next https://x.org/a"]),
            (#"<https://x.org/a>; rel="ne\xt"#, ["next https://x.org/a"]),
            (#"<https://x.org/a>; title="a"b; rel=next"#, ["next https://x.org/a"]),
            (
                #"<https://x.org/a>; title="a" rel=next, <https://x.org/b>; rel=next"#,
                ["next https://x.org/b"]
            ),
            ("<https://x.org/a>", []),
            ("<https://x.org/a>; rel", []),
            ("<https://x.org/a>; rel=\"\"", []),
            (
                "<https://x.org/a>; rel=next, x, <https://x.org/b>; rel=prev",
                ["next https://x.org/a"]
            ),
            ("<https://x.org/a; rel=next", []),
            ("https://x.org/a; rel=next", []),
            ("<", []), ("<>", []), ("", []), (";", []), (#"<a>; rel=""#, []), (#"<a>; rel="\"#, []),
            ("<https://x.org/ a>; rel=next", ["next https://x.org/%20a"]),
        ])
    func reading(value: String, links: [String]) throws {
        #expect(try texts(value) == links)
    }

    @Test("several fields form one list")
    func fields() throws {
        #expect(
            try texts("<https://x.org/a>; rel=next", "x", "<https://x.org/b>; rel=prev") == [
                "next https://x.org/a", "prev https://x.org/b",
            ])
    }

    @Test(
        "a target is resolved against the response's URL",
        arguments: [
            ("?page=2", "https://example.com/users/list?page=2"),
            ("/a", "https://example.com/a"), ("b", "https://example.com/users/b"),
            ("../c", "https://example.com/c"), ("//x.org/d", "https://x.org/d"),
            ("", "https://example.com/users/list?page=1"),
        ])
    func relative(reference: String, url: String) throws {
        #expect(try head("<\(reference)>; rel=next").link("next")?.absoluteString == url)
    }

    @Test(
        "a link with an anchor belongs to another resource unless it is the response's")
    func anchor() throws {
        let other = try head("</a>; rel=next; anchor=\"/other\", </b>; rel=next")
        #expect(other.links.map(\.context.path) == ["/other", "/users/list"])
        #expect(other.link("next")?.path == "/b")
        #expect(try head("</a>; rel=next; anchor=\"?page=1\"").link("next")?.path == "/a")
        #expect(try head("</a>; rel=next; anchor=\"#part\"").link("next") == nil)
    }

    @Test(
        "relations ignore case, and the first of repeated parameters counts"
    )
    func parameters() throws {
        let head = try head(
            #"</a>; rel="https://x.org/R"; type="text/html"; TYPE=x; hreflang=de; title*=UTF-8''a%20b"#
        )
        let link = try #require(head.links.first)
        #expect(link.relation == "https://x.org/r")
        #expect(
            link.parameters == ["type": "text/html", "hreflang": "de", "title*": "UTF-8''a%20b"])
        #expect(head.link("HTTPS://x.org/r") != nil && head.link("next") == nil)
    }

    @Test("a long field is parsed in linear time")
    func long() throws {
        let link = "<https://x.org/a>; rel=\"\(String(repeating: "a ", count: 1000))\","
        #expect(try head(String(repeating: link, count: 20)).links.count == 20_000)
        let open = String(repeating: "<", count: 60_000)
        #expect(try head(open).links.isEmpty)
    }
}
