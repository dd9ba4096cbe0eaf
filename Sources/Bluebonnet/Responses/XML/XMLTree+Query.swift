extension XMLTree {
    /// Returns the elements that match an XPath 1.0 expression, in document order.
    ///
    /// An evaluation fails after 50 million steps, which take about a second. This limit does not
    /// bound the time of every query, because libxml2 does not count all comparisons. If it finds
    /// nodes from many other nodes, it compares each of them with all before it.
    ///
    /// It does so for `|`. After a step that finds many nodes, it also does so for `..`, for `//`,
    /// and for the axes of parents, ancestors, descendants, siblings, and following and preceding
    /// nodes. Examples are `//b/c/..`, `//c/ancestor::b`, `//b/following-sibling::b[1]` and
    /// `//b//c[1]`. With 20,000 elements `b`, these take seconds; in the largest document, they
    /// take hours.
    ///
    /// Children and attributes, as in `//b/c/@d`, and predicates, as in `//b[c]` and
    /// `//c[ancestor::b]`, cost no more than their steps. For all other queries, the size of the
    /// document limits the time. Set `maximumSize` of ``XMLTree/init(_:maximumSize:)``, or
    /// ``XMLDocumentResponseSerializer/maximumDocumentSize``, to the size of the documents that the
    /// service really sends.
    ///
    /// - Parameters:
    ///   - expression: The expression; a name at its beginning is that of the root element. Never
    ///     use an expression from a user or a server, because it determines the cost of the
    ///     evaluation.
    ///   - namespaces: The namespaces of the expression's prefixes. The document can use other
    ///     prefixes. A name without a prefix has no namespace.
    /// - Returns: The elements, each once.
    /// - Throws: A ``QueryError``, also if the result contains anything other than elements.
    public func nodes(
        forXPath expression: String,
        namespaces: [String: String] = [:]
    ) throws(QueryError) -> [Node] {
        try XMLTree.elements(expression, namespaces, at: nil, in: document)
    }

    /// Returns the text of each node that matches an XPath 1.0 expression, in document order.
    ///
    /// The nodes can be attributes, text and elements. A result without nodes, such as that of
    /// `count(//a)`, is returned as one string. Queries that take long are described at
    /// ``XMLTree/nodes(forXPath:namespaces:)``.
    ///
    /// - Parameters:
    ///   - expression: The expression; a name at its beginning is that of the root element. Never
    ///     use an expression from a user or a server, because it determines the cost of the
    ///     evaluation.
    ///   - namespaces: The namespaces of the expression's prefixes.
    /// - Returns: The string values of the nodes, or the single string of another result.
    /// - Throws: A ``QueryError``, also if the strings have more than 64 MiB in total.
    public func strings(
        forXPath expression: String,
        namespaces: [String: String] = [:]
    ) throws(QueryError) -> [String] {
        try XMLTree.strings(expression, namespaces, at: nil, in: document)
    }
}

extension XMLTree.Node {
    /// Returns the elements that match an XPath 1.0 expression, relative to this element.
    ///
    /// See ``XMLTree/nodes(forXPath:namespaces:)``. A name at the beginning is that of a child.
    ///
    /// - Parameters:
    ///   - expression: The expression. Never use one from a user or a server, because it determines
    ///     the cost of the evaluation.
    ///   - namespaces: The namespaces of the expression's prefixes. The default is none.
    /// - Returns: The elements, each once, in document order.
    /// - Throws: A ``XMLTree/QueryError``, also if the result contains anything other than
    ///   elements.
    public func nodes(
        forXPath expression: String,
        namespaces: [String: String] = [:]
    ) throws(XMLTree.QueryError) -> [XMLTree.Node] {
        try XMLTree.elements(expression, namespaces, at: self, in: document)
    }

    /// Returns the text of each node that matches an XPath 1.0 expression, relative to this
    /// element.
    ///
    /// See ``XMLTree/strings(forXPath:namespaces:)``. A name at the beginning is that of a child.
    public func strings(
        forXPath expression: String,
        namespaces: [String: String] = [:]
    ) throws(XMLTree.QueryError) -> [String] {
        try XMLTree.strings(expression, namespaces, at: self, in: document)
    }
}

extension XMLTree {
    /// The maximum total size in bytes of a query's strings.
    ///
    /// The text of each nested element is part of the text of all elements around it.
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
