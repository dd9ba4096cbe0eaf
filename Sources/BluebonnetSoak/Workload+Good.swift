import Bluebonnet
import Foundation

// Tasks that succeed unless their server is disturbed, and that check the server's response.
extension Workload {
    func startGood() {
        switch draw(0..<14) {
        case 0: mark("/last")
        case 1: mark("/poison")
        case 2, 3: mark("/mark")
        case 4: data("/bytes/", size: draw(0..<2_000_000))
        case 5: data("/chunked/", size: draw(0..<300_000))
        case 6: data("/gzip/", size: draw(0..<300_000))
        case 7: data("/redirect/\(draw(1..<6))", size: nil)
        case 8: data("/drip/\(draw(2..<30))/10", size: nil)
        case 9: upload(draw(0..<500_000))
        case 10: uploadFile(draw(1..<1_000_000))
        case 11: uploadStream(draw(1..<300_000))
        case 12: download(draw(0..<1_000_000))
        default: readSlowly(draw(100_000..<1_500_000))
        }
    }

    /// Starts a task whose response names it, to detect a response to another task.
    private func mark(_ path: String) {
        let text = "mark\(draw(0..<1_000_000_000))"
        guard let request = request("\(path)?\(text)") else { return }
        let (number, end) = begin(path, .successUndisturbed)
        let task = manager.dataTask(with: request, serializer: HTTPResponseSerializer()) {
            [ledger] response in
            if let value = response.value, value != Data(text.utf8) {
                ledger.complain(
                    "\(path)?\(text) received \(String(decoding: value.prefix(99), as: UTF8.self))")
            }
            end(response.error.map { "\($0)" })
        }
        run(task, number)
    }

    private func data(_ path: String, size: Int?) {
        let method = size != nil && draw(0..<8) == 0 ? "HEAD" : "GET"
        guard let request = request(path + (size.map { "\($0)" } ?? ""), method) else { return }
        let (number, end) = begin(path.prefix { !$0.isNumber } + method, .successUndisturbed)
        let task = manager.dataTask(with: request, serializer: HTTPResponseSerializer()) {
            [ledger] response in
            if method == "GET", let size, let value = response.value, value.count != size {
                ledger.complain("\(path) returned \(value.count) bytes instead of \(size)")
            }
            end(response.error.map { "\($0)" })
        }
        run(task, number)
    }

    // MARK: Uploads

    /// Returns a request that the server must receive at most once.
    private func post() -> URLRequest? {
        request("/count?\(draw(0..<Int.max))", "POST")
    }

    private func upload(_ size: Int) {
        guard let request = post() else { return }
        let (number, end) = begin("upload", .successUndisturbed)
        let body = Data(repeating: 120, count: size)
        let task = manager.uploadTask(
            with: request, from: body, serializer: HTTPResponseSerializer(),
            completionHandler: judge(number, size, end))
        run(task, number)
    }

    private func uploadFile(_ size: Int) {
        guard let request = request("/count", "PUT") else { return }
        let (number, end) = begin("upload file", .successUndisturbed)
        let file = directory.appendingPathComponent("upload-\(number)")
        do {
            try Data(repeating: 120, count: size).write(to: file)
        } catch {
            return end("\(error)")
        }
        let judge = judge(number, size, isSentOnce: false, end)
        let task = manager.uploadTask(
            with: request, fromFile: file, serializer: HTTPResponseSerializer()
        ) { response in
            try? FileManager.default.removeItem(at: file)
            judge(response)
        }
        run(task, number)
    }

    private func uploadStream(_ size: Int) {
        guard let request = post() else { return }
        let (number, end) = begin("upload stream", .successUndisturbed)
        let task = manager.uploadTask(
            withStreamedRequest: request, length: draw(0..<2) == 0 ? Int64(size) : nil,
            body: { InputStream(data: Data(repeating: 120, count: size)) },
            serializer: HTTPResponseSerializer(),
            completionHandler: judge(number, size, end))
        run(task, number)
    }

    /// Returns a handler that compares the server's count with the number of bytes sent.
    private func judge(
        _ number: Int, _ size: Int, isSentOnce: Bool = true,
        _ end: @escaping @Sendable (String?) -> Void
    ) -> @Sendable (Response<Data>) -> Void {
        { [ledger] response in
            if let value = response.value, value != Data("\(size)".utf8) {
                ledger.complain(
                    "sent \(size) bytes, server replied \(String(decoding: value, as: UTF8.self))")
            }
            // If the server closes a kept connection during the body, a POST is not sent again.
            if isSentOnce, response.error?.urlError.code == .networkConnectionLost {
                ledger.excuse(number)
            }
            end(response.error.map { "\($0)" })
        }
    }

    // MARK: Downloads and streams

    private func download(_ size: Int) {
        guard let request = request("/bytes/\(size)") else { return }
        let (number, end) = begin("download", .successUndisturbed)
        let place = directory.appendingPathComponent("download-\(number)")
        let hasPlace = draw(0..<3) > 0
        let destination: (@Sendable (ResponseHead) -> URL?) = { _ in hasPlace ? place : nil }
        let task = manager.downloadTask(with: request, destination: destination) {
            [ledger] response in
            if let file = response.value {
                let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
                let count = (attributes?[.size] as? NSNumber)?.intValue
                if count != size { ledger.complain("a file has \(count ?? -1) of \(size) bytes") }
            }
            if hasPlace, response.error == nil { try? FileManager.default.removeItem(at: place) }
            end(response.error.map { "\($0)" })
        }
        run(task, number)
    }

    /// Reads a body slowly, piece by piece, and sometimes stops early.
    private func readSlowly(_ size: Int) {
        guard let request = request("/bytes/\(size)") else { return }
        let (number, end) = begin("slow reader", .successUndisturbed)
        let isGivenUp = draw(0..<6) == 0
        if isGivenUp { ledger.noteCancel(number) }
        Task { [manager, ledger] in
            do throws(BluebonnetError) {
                var count = 0
                for try await piece in try await manager.stream(for: request) {
                    count += piece.count
                    if isGivenUp { return end("given up") }
                    try? await Task.sleep(for: .milliseconds(2))
                }
                if count != size { ledger.complain("a stream returned \(count) of \(size) bytes") }
                end(nil)
            } catch {
                end("\(error)")
            }
        }
    }
}
