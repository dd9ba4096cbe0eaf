import Testing

@Suite("The names of Alamofire and Moya beside those of others")
struct PortedNameTests {
    @Test("URLSessionTask stays Foundation's, also for a handler of the chain")
    func sessionTask() throws {
        let own = """
            final class Delegate: NSObject, URLSessionTaskDelegate, Sendable {
                func urlSession(
                    _ session: URLSession, task: URLSessionTask,
                    didCompleteWithError error: (any Error)?
                ) {}
            }
            func start(_ url: URL, then handler: @escaping @Sendable (URLSessionTask) -> Void) {
                let task: URLSessionTask = URLSession.shared.dataTask(with: url)
                handler(task)
                AF.request(url).onURLSessionTaskCreation(perform: handler)
                AF.request(url).onURLSessionTaskCreation { task in
                    task.taskDescription = "a"
                    handler(task)
                }
                AF.request(url).onURLSessionTaskCreation { $0.cancel() }.response { _ in }
            }
            """
        for imports in ["", "import Foundation\nimport FoundationNetworking\n"] {
            let diagnostics = try SwiftCompiler.check([
                "task.swift": "\(imports)import BluebonnetChain\n\(own)"
            ])
            #expect(diagnostics.isEmpty, "\(diagnostics)")
        }
    }

    @Test("a program's own types take precedence, and Task is Swift's")
    func ownTypes() throws {
        let text = """
            import BluebonnetTargets
            struct Completion { let isLast: Bool }
            enum ProgressBlock { case full }
            struct DownloadDestination { let path: String }
            struct Method { let name: String }
            enum Moya { case tree }
            func own() -> (Completion, ProgressBlock, DownloadDestination, Method, Moya) {
                Task { await Task.yield() }
                return (
                    Completion(isLast: true), .full, DownloadDestination(path: ""),
                    Method(name: ""), .tree
                )
            }
            """
        let diagnostics = try SwiftCompiler.check(["own.swift": text])
        #expect(diagnostics.isEmpty, "\(diagnostics)")
    }
}
