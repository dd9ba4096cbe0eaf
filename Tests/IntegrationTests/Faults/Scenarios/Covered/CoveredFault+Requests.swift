import Bluebonnet

// What a caller wants sent, and its body.
extension CoveredFault {
    static let requests = [
        CoveredFault(
            "78a", "control characters in a header name or value",
            .invalidRequest,
            "refuses the request and names the field without its value",
            Place(
                "InjectionTests",
                "they are refused in every part of a request, and the error names the part"
            ),
            Place(
                "ExactlyOnceTests",
                "a header field with a control character or a bad name fails the task and is never dropped"
            )),
        CoveredFault(
            "78b", "control characters in a method", .invalidRequest,
            "refuses the request",
            Place(
                "InjectionTests",
                "they are refused in every part of a request, and the error names the part"
            ),
            Place(
                "ExchangeBuilderTests",
                "a method is a token")),
        CoveredFault(
            "78d", "control characters in names and file names of a form", nil,
            "escapes them, and refuses them in header fields and types of parts",
            Place(
                "InjectionTests",
                "they are escaped in names of form parts, and refused in their fields and types"),
            Place(
                "MultipartBytesTests",
                "header fields and types with line breaks or bad tokens are errors with the part's name"
            )),
        CoveredFault(
            "78e",
            "control characters in credentials, redirects of a hook, challenges and cookies",
            .invalidRequest,
            "refuses the request, ignores the challenge, or drops the cookie",
            Place(
                "InjectionTests",
                "they are refused in a serializer's fields, in a verb's, and in credentials"),
            Place(
                "InjectionTests",
                "they are refused in a redirect hook's request and in values that a server returns"),
            Place(
                "InjectionTests",
                "they never come from a jar, because such a cookie is not kept")),
        CoveredFault(
            "79m", "any host that Foundation and libcurl parse differently", .invalidRequest,
            "refuses the request",
            Place(
                "HostSyntaxTests",
                "a host that Foundation and libcurl read differently is refused"),
            Place(
                "HostSyntaxTests",
                "every accepted URL has the same host and port in Foundation and libcurl"),
            Place(
                "AddressGuardTests",
                "no hostile address or spelling reaches a server")),
        CoveredFault(
            "80a", "a body stream that fails or whose closure throws", .requestBody,
            "fails with the error of the stream or closure",
            Place(
                "UploadBytesTests",
                "a stream that is too short or long, or fails, is the body's error (fault 80)"
            ),
            Place(
                "InputStreamReaderTests",
                "errors of the stream, of the closure, and of a used stream are distinguished"),
            Place(
                "StreamedBodyTests",
                "a failure of the source, at its opening or later, ends the exchange")),
        CoveredFault(
            "80b", "a body stream that is shorter or longer than announced", .requestBody,
            "fails before the whole body is sent",
            Place(
                "UploadBytesTests",
                "a stream that is too short or long, or fails, is the body's error (fault 80)"
            ),
            Place(
                "StreamedBodyTests",
                "those with fewer or more bytes than declared fail before they are complete")),
        CoveredFault(
            "80c", "an empty body stream or file", nil,
            "sends an empty body",
            Place(
                "StreamedBodyTests",
                "they arrive completely, with their length or chunked, in pieces of any size"),
            Place(
                "UploadFileTests",
                "a file can be empty, or reached through a link")),
        CoveredFault(
            "80d", "a body of more than 4 GiB", nil,
            "declares the length and reads the body while sending it",
            Place(
                "StreamedBodyTests",
                "those over 4 GiB are declared with their length (fault 80)"),
            Place(
                "UploadFileTests",
                "a file can be larger than 4 GiB (fault 80)")),
        CoveredFault(
            "80e", "a body stream that never provides bytes", .timeout(.idle),
            "fails at the idle timeout or by cancellation, and other tasks continue",
            Place(
                "StreamedBodyTests",
                "a source that waits forever can be canceled, and times out"),
            Place(
                "StreamedBodyTests",
                "a source that waits delays no other exchange, and the body continues after it")),
        CoveredFault(
            "80f", "a file that is truncated or removed during its upload", .file,
            "fails before the last bytes, and never traps because the file is not mapped",
            Place(
                "UploadBytesTests",
                "a file that shrinks or vanishes under way fails, and no whole body arrives (fault 80)"
            ),
            Place(
                "UploadFileTests",
                "a change during the upload fails it before the last piece (fault 80)")),
        CoveredFault(
            "80g", "a file that grows or is overwritten during its upload", .file,
            "fails before the last bytes",
            Place(
                "UploadFileTests",
                "a change during the upload fails it before the last piece (fault 80)"),
            Place(
                "UploadTaskTests",
                "a file that changes during the upload fails the task with a file error")),
        CoveredFault(
            "80h", "a directory, pipe, socket or device in place of a file", .file,
            "refuses it by its type, without waiting",
            Place(
                "UploadFileTests",
                "other kinds of files are refused by kind, without waiting")),
        CoveredFault(
            "80i", "a disk that fails during an upload", .file,
            "fails with the system's error number",
            Place(
                "UploadFileTests",
                "a disk error fails the read")),
        CoveredFault(
            "80j", "a file that contains more or less than its size, as in `/proc`", .file,
            "fails before the last bytes, and sends no empty body",
            Place(
                "UploadBytesTests",
                "a file whose reported size is 0 is not sent as an empty body (fault 80)"),
            Place(
                "UploadFileTests",
                "a file with more bytes than its size, as in /proc, is refused with advice (fault 80)"
            ),
            Place(
                "UploadFileTests",
                "a file with fewer bytes than its size, as in /sys, is refused with advice (fault 80)"
            )),
        CoveredFault(
            "92a", "a form without parts", nil,
            "sends the request as if it had no parameters",
            Place(
                "MultipartRequestTests",
                "without parts, the serializer creates the request without parameters")),
        CoveredFault(
            "92b", "a missing or unreadable file of a form", .invalidRequest,
            "fails, names the part, and sends nothing",
            Place(
                "MultipartFileTests",
                "a missing file, directory, pipe or other URL is an error with the part's name"
            ),
            Place(
                "MultipartTaskTests",
                "a part that cannot be appended fails the task without sending")),
        CoveredFault(
            "92c", "a part of more than 2 GiB", nil,
            "declares its length and reads it while sending, in bounded memory",
            Place(
                "MultipartFileTests",
                "a file can be larger than 4 GiB (fault 92)"),
            Place(
                "LargeFormTests",
                "a file part of 1 GB is sent with at most 32 MiB of memory")),
        CoveredFault(
            "92d", "contents that contain the boundary", nil,
            "chooses another boundary for data, and relies on a random one for files",
            Place(
                "MultipartBoundaryTests",
                "it occurs in no data part, because another one is chosen"),
            Place(
                "MultipartBoundaryTests",
                "it is different for each body, with 16 random digits")),
        CoveredFault(
            "92e", "a file name with non-ASCII characters, quotes or line breaks", nil,
            "sends UTF-8 with quotes and line breaks escaped",
            Place(
                "MultipartBytesTests",
                "names are UTF-8 with escaped quotes, CR and LF, and there is no filename*"
            )),
        CoveredFault(
            "92f", "a file of a form that changes after it was appended or during the upload",
            .requestBody,
            "fails, names the part, and sends no complete form",
            Place(
                "MultipartFileTests",
                "a file that changed since it was appended fails before its first byte is returned"
            ),
            Place(
                "MultipartSocketTests",
                "a file that shrinks or vanishes under way fails the task, and no whole form arrives"
            )),
    ]
}
