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
                "are refused in every part of a request, with an error that names it and not its value"
            ),
            Place(
                "ExactlyOnceTests",
                "a header with a control character or a bad name fails the task and is never dropped"
            )),
        CoveredFault(
            "78b", "control characters in a method", .invalidRequest,
            "refuses the request",
            Place(
                "InjectionTests",
                "are refused in every part of a request, with an error that names it and not its value"
            ),
            Place(
                "ExchangeBuilderTests",
                "a method is a token")),
        CoveredFault(
            "78d", "control characters in names and file names of a form", nil,
            "escapes them, and refuses them in header fields and types of parts",
            Place(
                "InjectionTests",
                "are escaped in names of form parts, and refused in their fields and types"),
            Place(
                "MultipartBytesTests",
                "headers and types that would end the line, or are no tokens, are refused by the part's name"
            )),
        CoveredFault(
            "78e",
            "control characters in credentials, redirects of a hook, challenges and cookies",
            .invalidRequest,
            "refuses the request, ignores the challenge, or drops the cookie",
            Place(
                "InjectionTests",
                "are refused in a serializer's fields, in a verb's, and in credentials"),
            Place(
                "InjectionTests",
                "are refused in what a redirect hook returns, and in what a server wants sent back"),
            Place(
                "InjectionTests",
                "never come from a jar: a cookie with one is not kept, whoever sets it")),
        CoveredFault(
            "79m", "any host that Foundation and libcurl parse differently", .invalidRequest,
            "refuses the request",
            Place(
                "HostSyntaxTests",
                "a host that Foundation and libcurl do not read alike is refused"),
            Place(
                "HostSyntaxTests",
                "whatever is not refused has one host and port, to Foundation and to libcurl"),
            Place(
                "AddressGuardTests",
                "no hostile address or spelling reaches a server")),
        CoveredFault(
            "80a", "a body stream that fails or whose closure throws", .requestBody,
            "fails with the error of the stream or closure",
            Place(
                "UploadBytesTests",
                "a stream that is shorter or longer than announced, or fails, is the body's error (fault 80)"
            ),
            Place(
                "InputStreamReaderTests",
                "an error of the stream, of the closure, and a stream that was used are told apart"),
            Place(
                "StreamedBodyTests",
                "whose source fails, at its opening or later, end the exchange with that failure")),
        CoveredFault(
            "80b", "a body stream that is shorter or longer than announced", .requestBody,
            "fails before the whole body is sent",
            Place(
                "UploadBytesTests",
                "a stream that is shorter or longer than announced, or fails, is the body's error (fault 80)"
            ),
            Place(
                "StreamedBodyTests",
                "that have fewer or more bytes than announced fail before they are whole (80)")),
        CoveredFault(
            "80c", "an empty body stream or file", nil,
            "sends an empty body",
            Place(
                "StreamedBodyTests",
                "arrive whole, with their length or in chunks, in pieces of any size"),
            Place(
                "UploadFileTests",
                "may be empty, or reached through a link")),
        CoveredFault(
            "80d", "a body of more than 4 GiB", nil,
            "declares the length and reads the body while sending it",
            Place(
                "StreamedBodyTests",
                "of more than 4 GiB are announced with their length (fault 80)"),
            Place(
                "UploadFileTests",
                "may be larger than 4 GiB (fault 80)")),
        CoveredFault(
            "80e", "a body stream that never provides bytes", .timeout(.idle),
            "fails at the idle timeout or by cancellation, and other tasks continue",
            Place(
                "StreamedBodyTests",
                "whose source waits for ever can be cancelled, and time out (80)"),
            Place(
                "StreamedBodyTests",
                "whose source waits hold up nobody else, and go on when it does")),
        CoveredFault(
            "80f", "a file that is truncated or removed during its upload", .file,
            "fails before the last bytes, and never traps because the file is not mapped",
            Place(
                "UploadBytesTests",
                "a file that shrinks or vanishes during the upload fails it, and the server gets no whole body (fault 80)"
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
                "a file that changes while it is sent fails the task as a file's failure")),
        CoveredFault(
            "80h", "a directory, pipe, socket or device in place of a file", .file,
            "refuses it by its type, without waiting",
            Place(
                "UploadFileTests",
                "what is no regular file is refused by its kind, without waiting")),
        CoveredFault(
            "80i", "a disk that fails during an upload", .file,
            "fails with the system's error number",
            Place(
                "UploadFileTests",
                "a disk that fails")),
        CoveredFault(
            "92a", "a form without parts", nil,
            "sends the request as if it had no parameters",
            Place(
                "MultipartRequestTests",
                "without parts the request is what the serializer makes of no parameters (M5)")),
        CoveredFault(
            "92b", "a missing or unreadable file of a form", .invalidRequest,
            "fails, names the part, and sends nothing",
            Place(
                "MultipartFileTests",
                "a missing file, a directory, a pipe, another URL are refused by the part's name (M10)"
            ),
            Place(
                "MultipartTaskTests",
                "what cannot be appended fails the task, which is never sent")),
        CoveredFault(
            "92c", "a part of more than 2 GiB", nil,
            "declares its length and reads it while sending, in bounded memory",
            Place(
                "MultipartFileTests",
                "a file may be larger than 4 GiB (fault 92)"),
            Place(
                "LargeFormTests",
                "a file part of 1 GB is sent with no more than 32 MiB of memory")),
        CoveredFault(
            "92d", "contents that contain the boundary", nil,
            "chooses another boundary for data, and relies on a random one for files",
            Place(
                "MultipartBoundaryTests",
                "occurs in no data part: another is chosen, wherever it stands"),
            Place(
                "MultipartBoundaryTests",
                "is another one for each body, 16 digits of chance (M1)")),
        CoveredFault(
            "92e", "a file name with non-ASCII characters, quotes or line breaks", nil,
            "sends UTF-8 with quotes and line breaks escaped",
            Place(
                "MultipartBytesTests",
                "names are UTF-8 with quotes, CR and LF escaped, and nothing else; there is no filename*"
            )),
        CoveredFault(
            "92f", "a file of a form that changes after it was appended or during the upload",
            .requestBody,
            "fails, names the part, and sends no complete form",
            Place(
                "MultipartFileTests",
                "a file that changes after it was appended fails before the first byte of it is given out"
            ),
            Place(
                "MultipartSocketTests",
                "a file that shrinks or vanishes on its way fails the task, and no whole form arrives"
            )),
    ]
}
