import Bluebonnet
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

extension LoadTests {
    /// Forms much larger than the memory they can take.
    @Suite("Large forms", .serialized)
    struct LargeForms {
        /// More than the process took when idle.
        static let allowedMemory = 32 * 1024 * 1024

        let nginx: NginxServer
        let directory: ServerDirectory

        init() async throws {
            nginx = try await NginxServer()
            directory = try ServerDirectory()
        }

        /// Creates a file of zeros that takes no disk space.
        func sparseFile(_ size: Int) throws -> URL {
            let path = directory.path(of: "sparse-\(size)")
            try directory.write("", to: "sparse-\(size)")
            guard truncate(path, size) == 0 else { throw ServerFailure("no sparse file") }
            return URL(fileURLWithPath: path)
        }

        func upload(_ file: URL) async throws -> (Response<Data>, length: Int) {
            let manager = HTTPSessionManager(baseURL: URL(string: nginx.url("uploads/")))
            let url = try #require(manager.url(for: "form"))
            let request = try manager.requestSerializer.multipartFormRequest(
                method: .put, url: url, parameters: ["a": 1]
            ) { try $0.appendPart(fileURL: file, name: "file") }
            let length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }
            let response = await manager.response(
                for: request, serializer: HTTPResponseSerializer())
            return (response, try #require(length))
        }

        @Test("a file part of 1 GB is sent with at most 32 MiB of memory")
        func memory() async throws {
            // Allocates what is allocated once.
            #expect(try await upload(sparseFile(1 << 20)).0.error == nil)

            // A sanitizer makes it too slow, and its own memory is not counted.
            let size = ProcessState.isSanitized ? 128 << 20 : 1_000_000_000
            let file = try sparseFile(size)
            ProcessState.releaseFreedMemory()
            let idle = ProcessState.residentMemory
            ProcessState.forgetPeakMemory()
            let start = MonotonicClock.seconds
            let (response, length) = try await upload(file)
            let growth = ProcessState.peakMemory - idle
            let seconds = MonotonicClock.seconds - start
            print("\(size) B in a form: peak \(growth) B above idle, \(seconds) s")
            #expect(response.error == nil)
            if !ProcessState.isSanitized { #expect(growth <= Self.allowedMemory) }

            let stored = nginx.uploadedFile("form").path
            let attributes = try FileManager.default.attributesOfItem(atPath: stored)
            #expect(attributes[.size] as? Int == length && length > size)
            let output = try await PythonScript.run(Self.script, stored, "\(size)")
            #expect(String(decoding: output, as: UTF8.self) == "as it was\n")
        }

        /// Compares the bytes between the last head and the end with zeros.
        static let script = """
            import sys
            body, size = open(sys.argv[1], 'rb'), int(sys.argv[2])
            rest = body.read(4096)
            start = rest.rindex(b'\\r\\n\\r\\n') + 4
            body.seek(start)
            while size:
                piece = body.read(min(size, 1 << 20))
                assert piece and piece.count(0) == len(piece)
                size -= len(piece)
            end = body.read()
            assert end.startswith(b'\\r\\n--Boundary+') and end.endswith(b'--\\r\\n') and len(end) < 64
            print('as it was')
            """
    }
}
