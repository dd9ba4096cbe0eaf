// swift-tools-version: 6.3
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let cSettings: [CSetting] = [.enableWarning("all"), .enableWarning("extra")]
let cxxSettings: [CXXSetting] = [.enableWarning("all"), .enableWarning("extra")]

let package = Package(
    name: "Bluebonnet",
    products: [
        .library(name: "Bluebonnet", targets: ["Bluebonnet"]),
        .executable(name: "quickstart", targets: ["Quickstart"]),
        .executable(name: "benchmark", targets: ["Benchmark"]),
        .executable(name: "benchmark-c", targets: ["BenchmarkC"]),
        .executable(name: "soak", targets: ["Soak"]),
    ],
    targets: [
        .systemLibrary(
            name: "CLibcurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CBrotli",
            pkgConfig: "libbrotlidec",
            providers: [.apt(["libbrotli-dev"])]
        ),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(
            name: "CLibXML2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]
        ),
        .systemLibrary(name: "CLibPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .target(name: "CBluebonnet", dependencies: ["CLibcurl", "COpenSSL"], cSettings: cSettings),
        .target(name: "CBluebonnetXML", dependencies: ["CLibXML2"], cSettings: cSettings),
        // Not by pkg-config, which gives a flag for simdjson that SwiftPM warns of; the header and the
        // library of libsimdjson-dev are where every compiler looks.
        .target(
            name: "CBluebonnetJSON",
            cxxSettings: cxxSettings,
            linkerSettings: [.linkedLibrary("simdjson")]
        ),
        .target(
            name: "BluebonnetTransport",
            dependencies: ["CBluebonnet", "CZlib", "CBrotli", "CZstd", "CLibPSL"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "Bluebonnet",
            dependencies: ["BluebonnetTransport", "CBluebonnetJSON", "CBluebonnetXML"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "FixtureServer",
            dependencies: ["COpenSSL"],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "Quickstart",
            dependencies: ["Bluebonnet", "FixtureServer"],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "Benchmark",
            dependencies: ["Bluebonnet", "CMalloc", "FixtureServer"],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "BenchmarkC",
            dependencies: ["CLibcurl"],
            cSettings: cSettings
        ),
        .executableTarget(
            name: "Soak",
            dependencies: ["Bluebonnet", "CMalloc", "FixtureServer"],
            swiftSettings: swiftSettings
        ),
        // Answers look-ups of names in the place of the system.
        .target(name: "CTestResolver", path: "Tests/CTestResolver", cSettings: cSettings),
        // Makes functions of libcurl's fail, and the wall clock jump.
        .target(name: "CTestFaults", path: "Tests/CTestFaults", cSettings: cSettings),
        // What several test targets use.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
        .testTarget(
            name: "BluebonnetTransportTests",
            dependencies: [
                "BluebonnetTransport", "CMalloc", "CTestFaults", "CTestResolver", "FixtureServer",
                "CZlib", "CZstd", "TestSupport",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetTests",
            dependencies: ["Bluebonnet", "CMalloc", "TestSupport"],
            swiftSettings: swiftSettings
        ),
        // The inputs of the fuzzer, whose own package is beside them.
        .testTarget(
            name: "FuzzTests",
            dependencies: ["Bluebonnet", "BluebonnetTransport", "CBluebonnetXML"],
            path: "Tests/Fuzz",
            exclude: ["CFuzzer", "Corpus", "Fuzzer", "Package.swift", "files"],
            sources: ["Properties", "Replay"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FixtureServerTests",
            dependencies: ["FixtureServer"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "QuickstartTests",
            dependencies: ["Bluebonnet", "Quickstart"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BenchmarkTests",
            dependencies: ["Benchmark"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "Bluebonnet", "BluebonnetTransport", "CMalloc", "CTestFaults", "CTestResolver",
                "FixtureServer", "TestSupport",
            ],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
