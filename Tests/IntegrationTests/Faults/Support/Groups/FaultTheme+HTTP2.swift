extension FaultTheme {
    static let http2 = [
        FaultTheme(
            "HTTP/2",
            [
                FaultGroup(
                    63, only: "a", "stream reset without an error, body without a length",
                    .succeeds, "accepts the body, because libcurl reports it as complete"),
                FaultGroup(
                    63, only: "b", "stream reset without an error, body with a length", .fails,
                    "fails"),
                FaultGroup(
                    64, only: "fg", "stream reset after the response", .succeeds,
                    "delivers the response"),
                FaultGroup(
                    64, only: "abcdeh", "stream reset before the end of the response", .fails,
                    "fails"),
                FaultGroup(
                    65, only: "a", "stream refused once", .succeeds,
                    "sends the request again once, on a new connection"),
                FaultGroup(
                    65, only: "bcd", "every stream refused, or that of a POST", .fails,
                    "fails, for a GET after sending it twice"),
                FaultGroup(
                    66, only: "ad", "`GOAWAY` that excludes the request", .succeeds,
                    "sends the request again once, on a new connection"),
                FaultGroup(
                    66, only: "gh", "`GOAWAY` during or after the response", .succeeds,
                    "uses a new connection for the next request"),
                FaultGroup(
                    66, only: "bcef",
                    "`GOAWAY` with an error or silence, on every connection, or for a POST",
                    .fails, "fails"),
                FaultGroup(
                    67, "`ENHANCE_YOUR_CALM`", .fails,
                    "fails after sending the request at most twice"),
                FaultGroup(
                    68, "connection closed or reset before the response ends", .fails, "fails"),
                FaultGroup(
                    69, "malformed or misplaced frames, or no valid preface", .fails,
                    "fails, at the latest at the idle timeout"),
                FaultGroup(
                    70, only: "twxy",
                    "100 or 103 first, head that ends the stream, or superfluous body", .succeeds,
                    "delivers the response"),
                FaultGroup(
                    70, only: "abcdefghijklmnopqrsuvz",
                    "invalid fields, status, length or order of frames", .fails,
                    "fails, at the latest at the idle timeout"),
                FaultGroup(
                    71, only: "bcu", "low stream limit, or 1,000 PING frames", .succeeds,
                    "queues requests and answers frames"),
                FaultGroup(
                    71, only: "fgoprs", "too many fields, bytes or interim responses", .fails,
                    "fails at the limit"),
                FaultGroup(
                    71, only: "adehijklmnqtv", "no streams allowed, or floods of frames", .fails,
                    "fails, at the latest at the idle timeout"),
                FaultGroup(
                    72, only: "abgh", "cancelled or unread downloads, or a window that opens late",
                    .succeeds, "continues the other streams, or the upload"),
                FaultGroup(
                    72, only: "cdef", "upload window that stays closed", .fails,
                    "fails without spinning"),
                FaultGroup(72, only: "i", "endless body", .fails, "fails at the limit"),
            ])
    ]
}
