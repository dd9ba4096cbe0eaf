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

    /// Refuses a document that is not safe to parse with libxml2.
    ///
    /// The scan takes linear time and at most 270 KiB of memory.
    static func scan(_ data: Data, maximumSize: Int) throws(ParseError) {
        var error = BluebonnetXMLError()
        let isSafe = data.withUnsafeBytes { bytes in
            bluebonnet_xml_scan(bytes.baseAddress, bytes.count, limits(maximumSize), &error)
        }
        guard isSafe else { throw ParseError(error) }
    }
}
