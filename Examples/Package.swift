// swift-tools-version: 6.3
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let library = Target.Dependency.product(name: "Bluebonnet", package: "Bluebonnet")
let testing = Target.Dependency.product(name: "BluebonnetTesting", package: "Bluebonnet")

let package = Package(
    name: "Examples",
    products: [
        .executable(name: "bookshop", targets: ["Bookshop"]),
        .executable(name: "crawl", targets: ["Crawl"]),
        .executable(name: "download", targets: ["Download"]),
        .executable(name: "kiosk", targets: ["Kiosk"]),
        .executable(name: "relay", targets: ["Relay"]),
    ],
    dependencies: [.package(name: "Bluebonnet", path: "..")],
    targets: ["Bookshop", "Crawl", "Download", "Kiosk", "Relay"].flatMap { name in
        [
            .executableTarget(
                name: name,
                // The server of a framework, in a program of yours.
                dependencies: name == "Kiosk" ? [library, testing] : [library],
                swiftSettings: swiftSettings),
            .testTarget(
                name: "\(name)Tests", dependencies: [.target(name: name), library, testing],
                swiftSettings: swiftSettings),
        ]
    }
)
