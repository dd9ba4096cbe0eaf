import Bluebonnet
import BluebonnetCache
import BluebonnetSQLiteCache
import BluebonnetTestSupport
import Foundation
import FoundationNetworking

/// Runs the case on a manager with a cache, which answers all requests but the first.
func runBluebonnetCacheHit(_ parameters: ClientParameters) throws -> ClientRun {
    try run(parameters, cacheControl: "max-age=3600")
}

/// Runs the case on a manager with a cache that must not store the responses.
func runBluebonnetCacheMiss(_ parameters: ClientParameters) throws -> ClientRun {
    try run(parameters, cacheControl: "no-store")
}

/// Downloads repeatedly through a cache on disk, beside the file.
func runBluebonnetCacheDisk(
    _ parameters: ClientParameters, _ cachePolicy: URLRequest.CachePolicy
) throws -> ClientRun {
    let server = LabelingTransport(
        field: Exchange.Field(name: "Cache-Control", value: "max-age=3600"))
    let folder = parameters.file.appendingPathExtension("cache")
    var policy = CachePolicy.shared
    policy.maximumBodySize = 1 << 30
    let cache = CachingTransport(
        around: server, store: SQLiteCacheStore(folder: folder), policy: policy)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try runBluebonnetDownload(
        parameters, with: SessionManager(transport: cache), policy: cachePolicy)
}

private func run(_ parameters: ClientParameters, cacheControl: String) throws -> ClientRun {
    let server = LabelingTransport(
        field: Exchange.Field(name: "Cache-Control", value: cacheControl))
    let manager = SessionManager(
        configuration: configuration(parameters), transport: CachingTransport(around: server))
    return try ClosedLoop.measure(parameters, exchange: exchange(of: manager))
}

/// The real transport, with one more field in each response.
private struct LabelingTransport: Transport {
    let field: Exchange.Field

    func transfer(
        for exchange: consuming Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        CurlTransport.shared.transfer(for: exchange, reportingTo: sink) { [field] report in
            guard let head = report.head else { return }
            report.head = Exchange.Head(statusCode: head.statusCode, fields: head.fields + [field])
        }
    }
}
