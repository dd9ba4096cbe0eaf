/// The media types of files by file name extension, mostly as registered with IANA.
enum MIMEType {
    /// The type of a file with no extension or an unknown one.
    static let unknown = "application/octet-stream"

    /// Returns the type for the last extension of a file name, ignoring case.
    static func ofFile(named name: String) -> String {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last else { return unknown }
        return types[last.lowercased()] ?? unknown
    }

    /// The types by lowercase extension.
    static let types: [String: String] = [
        // Text
        "txt": "text/plain", "text": "text/plain", "log": "text/plain", "conf": "text/plain",
        "md": "text/markdown", "markdown": "text/markdown", "csv": "text/csv",
        "tsv": "text/tab-separated-values", "html": "text/html", "htm": "text/html",
        "css": "text/css", "js": "text/javascript", "mjs": "text/javascript",
        "ics": "text/calendar", "vcf": "text/vcard", "vtt": "text/vtt", "rtf": "application/rtf",
        // Data
        "json": "application/json", "map": "application/json", "jsonld": "application/ld+json",
        "geojson": "application/geo+json", "ndjson": "application/x-ndjson",
        "webmanifest": "application/manifest+json", "xml": "application/xml",
        "xsd": "application/xml", "xsl": "application/xml", "xslt": "application/xslt+xml",
        "xhtml": "application/xhtml+xml", "atom": "application/atom+xml",
        "rss": "application/rss+xml", "gpx": "application/gpx+xml",
        "kml": "application/vnd.google-earth.kml+xml", "kmz": "application/vnd.google-earth.kmz",
        "yaml": "application/yaml", "yml": "application/yaml", "toml": "application/toml",
        "plist": "application/x-plist", "sql": "application/sql",
        "sqlite": "application/vnd.sqlite3", "wasm": "application/wasm",
        "cbor": "application/cbor", "parquet": "application/vnd.apache.parquet",
        "sh": "application/x-sh", "rdf": "application/rdf+xml", "ttl": "text/turtle",
        "nt": "application/n-triples", "n3": "text/n3", "dtd": "application/xml-dtd",
        "wsdl": "application/wsdl+xml", "mml": "application/mathml+xml",
        "arrow": "application/vnd.apache.arrow.file", "nc": "application/x-netcdf",
        "diff": "text/x-diff", "patch": "text/x-diff", "srt": "text/plain",
        "ttml": "application/ttml+xml", "py": "text/x-python", "java": "text/x-java",
        // Certificates and signatures
        "cer": "application/pkix-cert", "crt": "application/x-x509-ca-cert",
        "der": "application/x-x509-ca-cert", "crl": "application/pkix-crl",
        "pem": "application/x-pem-file", "p10": "application/pkcs10",
        "csr": "application/pkcs10", "p8": "application/pkcs8", "p12": "application/x-pkcs12",
        "pfx": "application/x-pkcs12", "p7c": "application/pkcs7-mime",
        "p7m": "application/pkcs7-mime", "p7s": "application/pkcs7-signature",
        "asc": "application/pgp-keys", "sig": "application/pgp-signature",
        "pgp": "application/pgp-encrypted",
        // Images
        "png": "image/png", "apng": "image/apng", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "heic": "image/heic",
        "heif": "image/heif", "svg": "image/svg+xml", "bmp": "image/bmp", "tif": "image/tiff",
        "tiff": "image/tiff", "ico": "image/vnd.microsoft.icon", "jxl": "image/jxl",
        "jpe": "image/jpeg", "heics": "image/heic-sequence", "svgz": "image/svg+xml",
        "djvu": "image/vnd.djvu", "emf": "image/emf", "wmf": "image/wmf",
        "dwg": "image/vnd.dwg", "dxf": "image/vnd.dxf", "jp2": "image/jp2",
        "psd": "image/vnd.adobe.photoshop", "dng": "image/x-adobe-dng",
        // Audio
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "wav": "audio/wav",
        "flac": "audio/flac", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg",
        "weba": "audio/webm", "aif": "audio/aiff", "aiff": "audio/aiff", "mid": "audio/midi",
        "midi": "audio/midi", "mp2": "audio/mpeg", "amr": "audio/amr",
        // Video
        "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "webm": "video/webm",
        "mkv": "video/matroska", "avi": "video/vnd.avi", "mpeg": "video/mpeg", "mpg": "video/mpeg",
        "ogv": "video/ogg", "wmv": "video/x-ms-wmv", "flv": "video/x-flv", "3gp": "video/3gpp",
        "ts": "video/mp2t", "m3u8": "application/vnd.apple.mpegurl",
        // Fonts
        "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
        "ttc": "font/collection", "eot": "application/vnd.ms-fontobject",
        // Documents
        "pdf": "application/pdf", "ps": "application/postscript", "eps": "application/postscript",
        "epub": "application/epub+zip", "tex": "application/x-tex",
        "doc": "application/msword", "dot": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt": "application/vnd.oasis.opendocument.text",
        "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "odp": "application/vnd.oasis.opendocument.presentation",
        "dotx": "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
        "xltx": "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
        "potx": "application/vnd.openxmlformats-officedocument.presentationml.template",
        "pps": "application/vnd.ms-powerpoint", "vsd": "application/vnd.visio",
        "odg": "application/vnd.oasis.opendocument.graphics",
        "odf": "application/vnd.oasis.opendocument.formula",
        "ott": "application/vnd.oasis.opendocument.text-template",
        "ai": "application/postscript", "mbox": "application/mbox",
        "step": "model/step", "stp": "model/step", "usdz": "model/vnd.usdz+zip",
        "3mf": "application/vnd.ms-3mfdocument", "eml": "message/rfc822",
        "glb": "model/gltf-binary", "gltf": "model/gltf+json",
        "stl": "model/stl", "obj": "model/obj",
        // Archives and programs
        "zip": "application/zip", "gz": "application/gzip", "tgz": "application/gzip",
        "bz2": "application/x-bzip2", "xz": "application/x-xz", "zst": "application/zstd",
        "tar": "application/x-tar", "7z": "application/x-7z-compressed",
        "rar": "application/vnd.rar", "jar": "application/java-archive",
        "deb": "application/vnd.debian.binary-package",
        "iso": "application/x-iso9660-image", "dmg": "application/x-apple-diskimage",
        "rpm": "application/x-redhat-package-manager",
        "cab": "application/vnd.ms-cab-compressed", "msi": "application/x-msi",
        "bin": "application/octet-stream", "apk": "application/vnd.android.package-archive",
    ]
}
