// swift-tools-version: 6.3
import PackageDescription

// A separate package, so that users of Bluebonnet do not build it. `scripts/fuzz` builds it with
// the flags that libFuzzer needs.
let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "Bluebonnet", path: "../..")],
    targets: [
        .target(name: "CFuzzer", path: "CFuzzer"),
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
