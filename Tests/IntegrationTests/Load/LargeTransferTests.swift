import Bluebonnet
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

extension LoadTests {
    /// Bodies much larger than the memory they can take.
    @Suite("Large transfers", .serialized)
    struct LargeTransfers {
        /// More than the process took when idle.
        static let allowedMemory = 32 * 1024 * 1024

        let nginx: NginxServer
        let directory: ServerDirectory

        init() async throws {
            nginx = try await NginxServer()
            directory = try ServerDirectory()
        }

        func download(
            _ name: String, with manager: HTTPSessionManager
        ) async throws -> Response<URL> {
            let place = URL(fileURLWithPath: directory.path(of: "down-" + name))
            return await manager.download(
                for: URLRequest(url: try #require(URL(string: nginx.url("uploads/" + name)))),
                destination: { _ in place }, options: .removePreviousFile)
        }

        func upload(
            _ name: String, with manager: HTTPSessionManager
        ) async throws -> Response<Data> {
            let url = try #require(URL(string: nginx.url("uploads/up-" + name)))
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            return await manager.upload(
                for: request, fromFile: nginx.uploadedFile(name),
                serializer: HTTPResponseSerializer())
        }

        @Test("256 MiB to a file and from a file take at most 32 MiB of memory")
        func memory() async throws {
            let manager = HTTPSessionManager()
            try RandomFile.write(1 << 20, to: nginx.uploadedFile("small"), seed: 1)
            // Allocates what is allocated once.
            #expect(try await download("small", with: manager).error == nil)
            #expect(try await upload("small", with: manager).error == nil)

            let size = LoadVariant.pick(short: 256 << 20, full: 2 << 30)
            try RandomFile.write(size, to: nginx.uploadedFile("large"), seed: 2)
            let sum = try await nginx.uploadChecksum("large")
            for way in ["down", "up"] {
                ProcessState.releaseFreedMemory()
                let idle = ProcessState.residentMemory
                ProcessState.forgetPeakMemory()
                let start = MonotonicClock.seconds
                let error =
                    way == "down"
                    ? try await download("large", with: manager).error
                    : try await upload("large", with: manager).error
                let growth = ProcessState.peakMemory - idle
                let seconds = MonotonicClock.seconds - start
                print("\(size >> 20) MiB \(way): peak \(growth) B above idle, \(seconds) s")
                #expect(error == nil)
                if !ProcessState.isSanitized { #expect(growth <= Self.allowedMemory) }
            }
            #expect(try await FileChecksum.sha256(of: directory.path(of: "down-large")) == sum)
            #expect(try await nginx.uploadChecksum("up-large") == sum)
        }
    }
}
