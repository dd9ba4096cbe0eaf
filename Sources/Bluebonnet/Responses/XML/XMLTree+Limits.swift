import CBluebonnetXML
import FoundationEssentials

extension XMLTree {
    /// The default maximum size of a document in bytes: 16 MiB.
    public static var defaultMaximumSize: Int { 16 * 1024 * 1024 }

    static func limits(_ maximumSize: Int) -> BluebonnetXMLLimits {
        BluebonnetXMLLimits(
            maximumSize: max(0, maximumSize),
            maximumDepth: 256,
            maximumTagSize: 64 * 1024,
            maximumAttributes: 1000,
            maximumNamespaces: 256,
            maximumNames: 65536
        )
    }

    /// Refuses a document that is malformed or exceeds a limit.
    ///
    /// It is read by libxml2 without building a tree.
    static func check(_ data: Data, maximumSize: Int) throws(ParseError) {
        var error = BluebonnetXMLError()
        let isAccepted = data.withUnsafeBytes { bytes in
            bluebonnet_xml_check(bytes.baseAddress, bytes.count, limits(maximumSize), &error)
        }
        guard isAccepted else { throw ParseError(error) }
    }
}
