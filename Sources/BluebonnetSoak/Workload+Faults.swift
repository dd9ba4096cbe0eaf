import Bluebonnet
import Foundation

// Tasks that cannot succeed.
extension Workload {
    private static let names = FaultyRoutes.faults.keys.sorted()

    func startFault() {
        let name = Self.names[draw(0..<Self.names.count)]
        let method = ["GET", "GET", "POST", "PUT", "DELETE"][draw(0..<5)]
        guard draw(0..<12) > 0 else { return startUnreachable() }
        guard var request = request("/" + name, method) else { return }
        request.timeoutInterval = 1.5
        if method == "POST" || method == "PUT" {
            request.httpBody = Data(repeating: 120, count: draw(0..<2) == 0 ? 100 : 300_000)
        }
        let (number, end) = begin(name, .failure)
        // A download of a broken response must not create a file.
        guard draw(0..<4) == 0, method == "GET" else {
            let task = manager.dataTask(with: request, serializer: HTTPResponseSerializer()) {
                end($0.error.map { "\($0)" })
            }
            return run(task, number)
        }
        let place = directory.appendingPathComponent("fault-\(number)")
        let task = manager.downloadTask(with: request, destination: { _ in place }) { response in
            let isThere = FileManager.default.fileExists(atPath: place.path)
            end(isThere ? nil : response.error.map { "\($0)" })
        }
        run(task, number)
    }

    /// Starts a task with port 1, on which no server listens.
    private func startUnreachable() {
        guard let url = URL(string: "http://127.0.0.1:1/") else { return }
        let (number, end) = begin("refused", .failure)
        let task = manager.dataTask(
            with: URLRequest(url: url), serializer: HTTPResponseSerializer()
        ) { end($0.error.map { "\($0)" }) }
        run(task, number)
    }
}
