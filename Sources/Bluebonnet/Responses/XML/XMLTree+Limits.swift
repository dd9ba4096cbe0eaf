import CBluebonnetXML
import FoundationEssentials

extension XMLTree {
    /// The bytes that a document may have unless another limit is asked for: 16 MiB.
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

    /// Refuses a document that must not be given to a parser of libxml2, in linear time and
    /// with a quarter of a megabyte at most.
    static func scan(_ data: Data, maximumSize: Int) throws(ParseError) {
        var error = BluebonnetXMLError()
        let isSafe = data.withUnsafeBytes { bytes in
            bluebonnet_xml_scan(bytes.baseAddress, bytes.count, limits(maximumSize), &error)
        }
        guard isSafe else { throw ParseError(error) }
    }
}
