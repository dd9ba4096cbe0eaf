// swift-tools-version: 6.3
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let cSettings: [CSetting] = [.enableWarning("all"), .enableWarning("extra")]
let cxxSettings: [CXXSetting] = [.enableWarning("all"), .enableWarning("extra")]

// All targets but those of the tests have names that no other package has: SwiftPM refuses two of
// the same name in one graph of packages, and ours are all in it, the tools too.
let package = Package(
    name: "Bluebonnet",
    products: [
        .library(name: "Bluebonnet", targets: ["Bluebonnet"]),
        .executable(name: "quickstart", targets: ["BluebonnetQuickstart"]),
        .executable(name: "benchmark", targets: ["BluebonnetBenchmark"]),
        .executable(name: "benchmark-c", targets: ["BluebonnetBenchmarkC"]),
        .executable(name: "soak", targets: ["BluebonnetSoak"]),
    ],
    targets: [
        .systemLibrary(
            name: "CBluebonnetLibcurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(
            name: "CBluebonnetOpenSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CBluebonnetZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .systemLibrary(
            name: "CBluebonnetBrotli",
            pkgConfig: "libbrotlidec",
            providers: [.apt(["libbrotli-dev"])]
        ),
        .systemLibrary(
            name: "CBluebonnetZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"])]
        ),
        .systemLibrary(
            name: "CBluebonnetLibXML2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]
        ),
        .systemLibrary(
            name: "CBluebonnetLibPSL",
            pkgConfig: "libpsl",
            providers: [.apt(["libpsl-dev"])]
        ),
        .systemLibrary(name: "CBluebonnetMalloc"),
        .target(
            name: "CBluebonnet",
            dependencies: ["CBluebonnetLibcurl", "CBluebonnetOpenSSL"],
            cSettings: cSettings
        ),
        .target(name: "CBluebonnetXML", dependencies: ["CBluebonnetLibXML2"], cSettings: cSettings),
        // Not by pkg-config, which gives a flag for simdjson that SwiftPM warns of; the header and the
        // library of libsimdjson-dev are where every compiler looks.
        .target(
            name: "CBluebonnetJSON",
            cxxSettings: cxxSettings,
            linkerSettings: [.linkedLibrary("simdjson")]
        ),
        .target(
            name: "BluebonnetTransport",
            dependencies: [
                "CBluebonnet", "CBluebonnetBrotli", "CBluebonnetLibPSL", "CBluebonnetZlib",
                "CBluebonnetZstd",
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "Bluebonnet",
            dependencies: ["BluebonnetTransport", "CBluebonnetJSON", "CBluebonnetXML"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "BluebonnetFixtureServer",
            dependencies: ["CBluebonnetOpenSSL"],
            path: "Sources/BluebonnetFixtureServer",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "BluebonnetQuickstart",
            dependencies: ["Bluebonnet", "BluebonnetFixtureServer"],
            path: "Sources/BluebonnetTour",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "BluebonnetBenchmark",
            dependencies: ["Bluebonnet", "CBluebonnetMalloc", "BluebonnetFixtureServer"],
            path: "Sources/BluebonnetBenchmark",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "BluebonnetBenchmarkC",
            dependencies: ["CBluebonnetLibcurl"],
            path: "Sources/BluebonnetBenchmarkC",
            cSettings: cSettings
        ),
        .executableTarget(
            name: "BluebonnetSoak",
            dependencies: ["Bluebonnet", "CBluebonnetMalloc", "BluebonnetFixtureServer"],
            path: "Sources/BluebonnetSoak",
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
                "BluebonnetFixtureServer", "BluebonnetTransport", "CBluebonnetMalloc",
                "CBluebonnetZlib", "CBluebonnetZstd", "CTestFaults", "CTestResolver", "TestSupport",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetTests",
            dependencies: ["Bluebonnet", "CBluebonnetMalloc", "TestSupport"],
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
            name: "BluebonnetFixtureServerTests",
            dependencies: ["BluebonnetFixtureServer"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetTourTests",
            dependencies: ["Bluebonnet", "BluebonnetQuickstart"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetBenchmarkTests",
            dependencies: ["BluebonnetBenchmark"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "Bluebonnet", "BluebonnetFixtureServer", "BluebonnetTransport",
                "CBluebonnetMalloc", "CTestFaults", "CTestResolver", "TestSupport",
            ],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
