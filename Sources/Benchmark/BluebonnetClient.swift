import Foundation

func runBluebonnet(url: URL, count: Int, concurrency: Int) throws -> ClientRun {
    throw BenchmarkFailure("not linked")
}
