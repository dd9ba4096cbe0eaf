import Bluebonnet

// Bodies that are hard to read.
extension CoveredFault {
    static let documents = [
        CoveredFault(
            "90a", "a charset that contradicts the bytes", .unreadableBody,
            "fails and names the charset and the byte",
            Place(
                "StringResponseSerializerTests",
                "bytes that are invalid in the charset are an error that names it"),
            Place(
                "StringResponseSerializerTests",
                "the first byte that is invalid in the encoding is reported")),
        CoveredFault(
            "90b", "an unknown charset", .unreadableBody,
            "fails and names it",
            Place(
                "StringResponseSerializerTests",
                "an unknown charset is an error that names it")),
        CoveredFault(
            "90c", "a byte order mark", nil,
            "prefers it to the charset and removes it from the text",
            Place(
                "StringResponseSerializerTests",
                "a byte order mark overrides the charset and is not part of the string"),
            Place(
                "JSONResponseSerializerMalformedTests",
                "UTF-8 with a byte order mark, UTF-16 and UTF-32 are read")),
        CoveredFault(
            "90d", "invalid UTF-8", .unreadableBody,
            "fails and names the position",
            Place(
                "JSONResponseSerializerMalformedTests",
                "invalid UTF-8 is an error"),
            Place(
                "XMLTreeMalformedTests",
                "invalid UTF-8 is an error anywhere")),
        CoveredFault(
            "90e", "an empty body where JSON is expected", nil,
            "returns nil, or fails for a type that is not optional",
            Place(
                "JSONResponseSerializerTests",
                "an empty body or a single space is nil, as are 204, 205, 304 and HEAD"),
            Place(
                "DecodableResponseSerializerTests",
                "an empty body is an error that says so, as are 204, 205, 304 and HEAD")),
        CoveredFault(
            "90f", "JSON with 100,000 levels", .unreadableBody,
            "fails beyond 512 levels or the serializer's limit, on a stack of any size",
            Place(
                "JSONResponseSerializerMalformedTests",
                "nesting is read up to 512 levels and refused beyond, also on a small stack"),
            Place(
                "JSONReaderTests",
                "a property limits the depth of arrays and objects, up to 1,024")),
        CoveredFault(
            "90g", "XML with external entities (XXE)", .unreadableBody,
            "opens no file and no connection",
            Place(
                "XMLResponseSerializerTests",
                "neither serializer opens files or connections for entities and DTDs"),
            Place(
                "XMLTreeRefusalTests",
                "external entities and DTDs open neither files nor connections")),
        CoveredFault(
            "90h", "XML with nested entities (billion laughs)", .unreadableBody,
            "refuses declarations before reading them",
            Place(
                "XMLTreeRefusalTests",
                "a document with declarations is refused at its internal subset"),
            Place(
                "HostileDocumentTests",
                "both XML serializers refuse it in one second and 64 MiB, without a size limit"
            )),
        CoveredFault(
            "90i", "numbers beyond 64 bits", .unreadableBody,
            "reads them as Double, and fails beyond its range",
            Place(
                "JSONReaderTests",
                "a number that no Double can represent is an error with its position"),
            Place(
                "JSONReaderTests",
                "integers of more than 64 bits become the nearest Double, at any position")),
        CoveredFault(
            "103", "a small property list that describes an enormous tree or contains itself",
            .unreadableBody,
            "fails",
            Place(
                "PropertyListResponseSerializerBinaryTests",
                "a small body that describes an enormous tree is an error"),
            Place(
                "PropertyListResponseSerializerBinaryTests",
                "objects that contain themselves are an error")),
    ]
}
