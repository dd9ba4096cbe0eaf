import Foundation

@testable import Bluebonnet

/// Writes a tree as an equivalent document, with every namespace declared where it is used.
struct XMLWriter {
    private(set) var text = ""

    init(_ root: XMLTree.Node) {
        write(root)
    }

    private mutating func write(_ node: XMLTree.Node) {
        let name = Self.name(node.prefix, node.name)
        text += "<\(name)"
        var declared: Set<String> = ["xml"]
        declare(node.prefix ?? "", node.namespaceURI ?? "", &declared)
        for attribute in node.attributes {
            if let prefix = attribute.prefix {
                declare(prefix, attribute.namespaceURI ?? "", &declared)
            }
            text +=
                " \(Self.name(attribute.prefix, attribute.name))=\"\(Self.escaped(attribute.value))\""
        }
        text += ">"
        for child in node.children { write(child) }
        if node.children.isEmpty { text += Self.escaped(node.text) }
        text += "</\(name)>"
    }

    private mutating func declare(_ prefix: String, _ uri: String, _ declared: inout Set<String>) {
        // Without a namespace, libxml2 treats the prefix as part of the name.
        guard !(uri.isEmpty && !prefix.isEmpty), declared.insert(prefix).inserted else { return }
        text += " xmlns\(prefix.isEmpty ? "" : ":\(prefix)")=\"\(Self.escaped(uri))\""
    }

    private static func name(_ prefix: String?, _ name: String) -> String {
        prefix.map { "\($0):\(name)" } ?? name
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if "<>&\"".unicodeScalars.contains(scalar) || scalar.value < 0x20 {
                result += "&#\(scalar.value);"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
}
