extension BenchmarkCase {
    static let all = gets + variants + large + others

    private static let gets = [
        BenchmarkCase(
            name: "small-get-1", file: .small, concurrency: 1,
            count: 40_000, urlSessionCount: 3_000, comparesAsync: true
        ),
        BenchmarkCase(
            name: "small-get-64", title: "Small bodies, 64 at a time", file: .small,
            concurrency: 64,
            count: 60_000, urlSessionCount: 4_000, comparesAsync: true
        ),
        BenchmarkCase(
            name: "small-get-512", file: .small, concurrency: 512,
            count: 60_000, urlSessionCount: 4_000
        ),
        BenchmarkCase(
            name: "medium-get-64", file: .medium, concurrency: 64,
            count: 50_000, urlSessionCount: 4_000
        ),
    ]

    private static let variants = [
        BenchmarkCase(
            name: "chain-get-64", work: .chain, file: .small, concurrency: 64,
            count: 60_000, urlSessionCount: 4_000
        ),
        BenchmarkCase(
            name: "post-1k-64", work: .post, file: .small, concurrency: 64,
            count: 50_000, urlSessionCount: 4_000
        ),
        BenchmarkCase(
            name: "typed-json-64", title: "10 KB of JSON into structs, 64 at a time", work: .typed,
            file: .medium, concurrency: 64,
            count: 4_000, urlSessionCount: 2_000
        ),
        BenchmarkCase(
            name: "small-get-tls-64", listener: .tls, file: .small, concurrency: 64,
            count: 50_000, urlSessionCount: 4_000
        ),
        BenchmarkCase(
            name: "small-get-h2-64", listener: .http2, file: .small, concurrency: 64,
            count: 40_000, urlSessionCount: 4_000
        ),
    ]

    // All clients send the same number of requests, so that the total times can be compared too.
    private static let large = [
        BenchmarkCase(
            name: "large-get-1", title: "256 MiB into memory", file: .large, concurrency: 1,
            count: 6, urlSessionCount: 6
        ),
        BenchmarkCase(
            name: "large-download-1", work: .download, file: .large, concurrency: 1,
            count: 6, urlSessionCount: 6
        ),
        BenchmarkCase(
            name: "large-upload-1", work: .upload, file: .large, concurrency: 1,
            count: 6, urlSessionCount: 6
        ),
        BenchmarkCase(
            name: "download-2g", work: .download, file: .huge, concurrency: 1,
            count: 2, urlSessionCount: 1
        ),
        BenchmarkCase(
            name: "upload-2g", work: .upload, file: .huge, concurrency: 1,
            count: 2, urlSessionCount: 1
        ),
    ]

    private static let others = [
        BenchmarkCase(
            name: "slow-10000", work: .amongHeld, file: .small, concurrency: 10_000,
            count: 4_000, urlSessionCount: 4_000
        ),
        BenchmarkCase(
            name: "first-response", work: .firstResponse, file: .small, concurrency: 1,
            count: 10, urlSessionCount: 10
        ),
        BenchmarkCase(
            name: "hosts-1000", work: .hosts(1000), listener: .everyLoopbackAddress, file: .small,
            concurrency: 64, count: 40_000, urlSessionCount: 4_000
        ),
    ]
}
