import Bluebonnet
import Testing

@testable import Download

@Suite("The command download")
struct DownloadCommandTests {
    @Test(
        "without a file, the end of the URL is a safe name",
        arguments: [
            ("http://files.test/a/b.zip?c=d", "b.zip"), ("http://files.test/..%2Fb", "b"),
            ("http://files.test/.b", "b"), ("http://files.test", "download"),
        ])
    func name(url: String, name: String) {
        #expect(DownloadCommand([url])?.file == URL(filePath: name))
    }

    @Test("a file can be chosen")
    func file() {
        #expect(DownloadCommand(["https://files.test/a", "/tmp/b"])?.file.path == "/tmp/b")
    }

    @Test(
        "other arguments are refused",
        arguments: [[], ["a.zip"], ["ftp://files.test/a"], ["http://files.test/a", "b", "c"]])
    func refused(arguments: [String]) {
        #expect(DownloadCommand(arguments) == nil)
    }

    @Test("progress has a share only if the size is known")
    func progress() {
        let progress = Progress(totalUnitCount: 2_000_000)
        progress.completedUnitCount = 500_000
        #expect(DownloadCommand.text(of: progress) == "25% of 2 MB")
        progress.totalUnitCount = -1
        #expect(DownloadCommand.text(of: progress) == "500 kB")
    }
}
