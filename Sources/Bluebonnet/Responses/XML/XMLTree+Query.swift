extension XMLTree {
    /// The elements that an XPath 1.0 expression finds, in the order of the document.
    ///
    /// An evaluation of more than 50 million steps, about a second, ends with an error. That does
    /// not bound every query, since libxml2 does not count how it compares each node that it finds
    /// from many others with all before it. It does so for `|`, and behind a step that finds many
    /// nodes for `..`, `//` and the axes of parents, ancestors, descendants, siblings and what
    /// follows or precedes: `//b/c/..`, `//c/ancestor::b`, `//b/following-sibling::b[1]` and
    /// `//b//c[1]` take seconds where there are 20,000 of `b`, and hours in the largest document.
    ///
    /// Children and attributes, as in `//b/c/@d`, and predicates, as in `//b[c]` and
    /// `//c[ancestor::b]`, cost no more than their steps. What a query of another kind may take is
    /// bounded by the document: let no more be parsed than the service really sends, by the
    /// `maximumSize` of ``XMLTree/init(_:maximumSize:)`` or
    /// ``XMLDocumentResponseSerializer/maximumDocumentSize``.
    ///
    /// - Parameters:
    ///   - expression: Where it begins with a name, that of the root element. It comes from the
    ///     program, never from a user or a server: it decides what the evaluation costs.
    ///   - namespaces: The prefixes of the expression with their namespaces. They need not be
    ///     those of the document; a name without a prefix is in no namespace.
    /// - Returns: The elements, each once.
    /// - Throws: A ``QueryError``, also when the result is something other than elements.
    public func nodes(
        forXPath expression: String,
        namespaces: [String: String] = [:]
    ) throws(QueryError) -> [Node] {
        try XMLTree.elements(expression, namespaces, at: nil, in: document)
    }

    /// The text of each node that an XPath 1.0 expression finds, in the order of the document.
    ///
    /// The nodes may be attributes, text and elements. A result without nodes, such as that of
    /// `count(//a)`, is one string. What takes long is said of
    /// ``XMLTree/nodes(forXPath:namespaces:)``.
    ///
    /// - Parameters:
    ///   - expression: Where it begins with a name, that of the root element. It comes from the
    ///     program, never from a user or a server: it decides what the evaluation costs.
    ///   - namespaces: The prefixes of the expression with their namespaces.
    /// - Returns: The string values of the nodes, or the one string of another result.
    /// - Throws: A ``QueryError``, also when the strings have more than 64 MiB together.
    public func strings(
        forXPath expression: String,
        namespaces: [String: String] = [:]
    ) throws(QueryError) -> [String] {
        try XMLTree.strings(expression, namespaces, at: nil, in: document)
    }
}

extension XMLTree.Node {
    /// The elements that an XPath 1.0 expression finds from this element on.
    ///
    /// See ``XMLTree/nodes(forXPath:namespaces:)``; a name at the beginning is that of a child.
    public func nodes(
        forXPath expression: String,
        namespaces: [String: String] = [:]
    ) throws(XMLTree.QueryError) -> [XMLTree.Node] {
        try XMLTree.elements(expression, namespaces, at: self, in: document)
    }

    /// The text of each node that an XPath 1.0 expression finds from this element on.
    ///
    /// See ``XMLTree/strings(forXPath:namespaces:)``; a name at the beginning is that of a child.
    public func strings(
        forXPath expression: String,
        namespaces: [String: String] = [:]
    ) throws(XMLTree.QueryError) -> [String] {
        try XMLTree.strings(expression, namespaces, at: self, in: document)
    }
}

extension XMLTree {
    /// The bytes that the strings of one query may have: elements that lie in each other each
    /// have the text of all below them.
    private static let maximumTextSize = 64 * 1024 * 1024

    fileprivate static func elements(
        _ expression: String,
        _ namespaces: [String: String],
        at node: Node?,
        in document: Document
    ) throws(QueryError) -> [Node] {
        let query = try XMLQuery(expression, namespaces, at: node, in: document)
        let count = query.count
        guard count >= 0 else { throw .withoutElements }
        var nodes: [Node] = []
        nodes.reserveCapacity(count)
        for index in 0..<count {
            guard let element = query.element(at: index) else { throw .withoutElements }
            nodes.append(Node(document: document, pointer: element))
        }
        return nodes
    }

    fileprivate static func strings(
        _ expression: String,
        _ namespaces: [String: String],
        at node: Node?,
        in document: Document
    ) throws(QueryError) -> [String] {
        let query = try XMLQuery(expression, namespaces, at: node, in: document)
        let count = query.count
        var strings: [String] = []
        var size = 0
        for index in 0..<(count < 0 ? 1 : count) {
            guard let string = query.string(at: index) else { throw .outOfMemory }
            size += string.utf8.count
            guard size <= maximumTextSize else { throw .tooMuchText }
            strings.append(string)
        }
        return strings
    }
}
