// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that users of Bluebonnet build none of it. `scripts/sanitize fuzz` builds
// it with the flags that libFuzzer needs.
let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "Bluebonnet", path: "../..")],
    targets: [
        .target(
            name: "CFuzzer",
            dependencies: [.product(name: "Bluebonnet", package: "Bluebonnet")],
            path: "CFuzzer"
        ),
        .executableTarget(
            name: "Fuzzer",
            dependencies: ["CFuzzer", .product(name: "Bluebonnet", package: "Bluebonnet")],
            path: ".",
            exclude: ["CFuzzer", "Corpus", "Replay", "files"],
            sources: ["Fuzzer", "Properties"],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
