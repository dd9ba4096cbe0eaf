extension FaultTheme {
    static let http2 = [
        FaultTheme(
            "HTTP/2",
            [
                FaultGroup(
                    63, "stream reset without an error", .mixed(failing: "b"),
                    "accepts a body without a length, otherwise fails"),
                FaultGroup(
                    64, "stream reset with an error", .mixed(failing: "abcdeh"),
                    "delivers a complete response, otherwise fails"),
                FaultGroup(
                    65, "stream refused", .mixed(failing: "be"),
                    "sends any request again once, otherwise fails"),
                FaultGroup(
                    66, only: "adfghi",
                    "`GOAWAY` that excludes the request, or during or after the response",
                    .succeeds,
                    "sends any request again once, or delivers the response"),
                FaultGroup(
                    66, only: "bcejklmno",
                    "`GOAWAY` with an error or silence, on every connection, or including a POST",
                    .fails, "fails"),
                FaultGroup(
                    67, "`ENHANCE_YOUR_CALM`", .fails,
                    "fails after sending it at most twice"),
                FaultGroup(
                    68, "connection closed or reset before the response ends", .fails, "fails"),
                FaultGroup(
                    69, "malformed or misplaced frames, or no valid preface", .fails,
                    "fails at the idle timeout or before"),
                FaultGroup(
                    70, "invalid status, fields, length, or order, or a superfluous body",
                    .mixed(failing: "abcdefghijklmnopqrsuvz"),
                    "fails, but ignores bytes after a complete response"),
                FaultGroup(
                    71, only: "bcu", "low stream limit, or 1,000 PING frames", .succeeds,
                    "queues requests and answers frames"),
                FaultGroup(
                    71, only: "fgoprs", "too many fields, bytes, or interim responses", .fails,
                    "fails at the limit"),
                FaultGroup(
                    71, only: "adehijklmnqtv", "no streams allowed, or floods of frames", .fails,
                    "fails at the idle timeout or before"),
                FaultGroup(
                    72, only: "abgh", "canceled or unread downloads, or a window that opens late",
                    .succeeds, "continues the other streams, or the upload"),
                FaultGroup(
                    72, only: "cdefi", "upload window that stays closed, or an endless body",
                    .fails, "fails at the timeout or the limit"),
            ])
    ]
}
