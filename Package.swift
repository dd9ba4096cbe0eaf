// swift-tools-version: 6.3
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Without `MemberImportVisibility`: which module has the fields of Glibc's `timespec` depends on the order
// in which the compiler loads them, and so on the number of processors.
let transportSettings = Array(swiftSettings.dropLast())

let cSettings: [CSetting] = [.enableWarning("all"), .enableWarning("extra")]
let cxxSettings: [CXXSetting] = [.enableWarning("all"), .enableWarning("extra")]

// Every target has a name that no other package uses: SwiftPM refuses two targets of the same name in
// the package graph of an adopter. The tools are not products, so that adopters do not see them. In
// this package, each can be run by the name of its target.
let package = Package(
    name: "Bluebonnet",
    products: [
        .library(name: "Bluebonnet", targets: ["Bluebonnet"]),
        .library(name: "BluebonnetChain", targets: ["BluebonnetChain"]),
        .library(name: "BluebonnetTargets", targets: ["BluebonnetTargets"]),
        .library(name: "BluebonnetCache", targets: ["BluebonnetCache"]),
        .library(name: "BluebonnetSQLiteCache", targets: ["BluebonnetSQLiteCache"]),
        .library(name: "BluebonnetTesting", targets: ["BluebonnetTesting"]),
        .library(name: "BluebonnetTargetsTesting", targets: ["BluebonnetTargetsTesting"]),
        .library(name: "BluebonnetEcosystem", targets: ["BluebonnetEcosystem"]),
    ],
    // What a trait adds is in `BluebonnetEcosystem`. The packages of traits that are off are neither
    // resolved nor fetched.
    traits: [
        .trait(name: "SwiftLog", description: "Write log entries to a Logger."),
        .trait(name: "SwiftMetrics", description: "Record metrics with a MetricsFactory."),
        .trait(name: "DistributedTracing", description: "Start a span for each attempt."),
        .trait(name: "ServiceLifecycle", description: "Run a manager in a ServiceGroup."),
        .trait(name: "HTTPTypes", description: "Convert and send HTTPRequest and HTTPResponse."),
        .trait(
            name: "OpenAPIRuntime",
            description: "Send the calls of a client that Swift OpenAPI Generator wrote.",
            enabledTraits: ["HTTPTypes"]),
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log.git", from: "1.5.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.1.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.4.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-openapi-runtime.git", from: "1.0.0"),
    ],
    targets: [
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
        // libcurl not by pkg-config, which gives a flag on Debian 13 that SwiftPM warns of. The header
        // names the package if it is missing.
        .target(
            name: "CBluebonnet",
            dependencies: ["CBluebonnetOpenSSL"],
            cSettings: cSettings,
            linkerSettings: [.linkedLibrary("curl")]
        ),
        .target(name: "CBluebonnetXML", dependencies: ["CBluebonnetLibXML2"], cSettings: cSettings),
        // Not by pkg-config, which gives a flag for simdjson that SwiftPM warns of; the header and the
        // library of libsimdjson-dev are where every compiler looks.
        .target(
            name: "CBluebonnetJSON",
            cxxSettings: cxxSettings,
            linkerSettings: [.linkedLibrary("simdjson")]
        ),
        // Not by pkg-config, which warns every adopter who lacks the library, also those who do not use
        // it.
        .target(
            name: "CBluebonnetSQLite",
            cSettings: cSettings,
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .target(
            name: "BluebonnetTransport",
            dependencies: [
                "CBluebonnet", "CBluebonnetBrotli", "CBluebonnetLibPSL", "CBluebonnetZlib",
                "CBluebonnetZstd",
            ],
            swiftSettings: transportSettings
        ),
        .target(
            name: "Bluebonnet",
            dependencies: ["BluebonnetTransport", "CBluebonnetJSON", "CBluebonnetXML"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "BluebonnetChain",
            dependencies: ["Bluebonnet"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "BluebonnetTargets",
            dependencies: ["BluebonnetChain"],
            swiftSettings: swiftSettings
        ),
        // Without access to what the package keeps to itself: its users write the like.
        .target(
            name: "BluebonnetCache",
            dependencies: ["Bluebonnet"],
            packageAccess: false,
            swiftSettings: swiftSettings
        ),
        .target(
            name: "BluebonnetSQLiteCache",
            dependencies: ["Bluebonnet", "BluebonnetCache", "CBluebonnetSQLite"],
            packageAccess: false,
            swiftSettings: swiftSettings
        ),
        .target(
            name: "BluebonnetFixtureServer",
            dependencies: ["CBluebonnetOpenSSL"],
            swiftSettings: swiftSettings
        ),
        // It has no access to what the package keeps to itself: whoever writes a transport or a clock of
        // their own has none either.
        .target(
            name: "BluebonnetTesting",
            dependencies: ["Bluebonnet", "BluebonnetFixtureServer"],
            packageAccess: false,
            swiftSettings: swiftSettings
        ),
        .target(
            name: "BluebonnetTargetsTesting",
            dependencies: ["BluebonnetTargets", "BluebonnetTesting"],
            packageAccess: false,
            swiftSettings: swiftSettings
        ),
        // Without access to what the package keeps to itself, as its users.
        .target(
            name: "BluebonnetEcosystem",
            dependencies: [
                "Bluebonnet",
                .product(
                    name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])),
                .product(
                    name: "CoreMetrics", package: "swift-metrics",
                    condition: .when(traits: ["SwiftMetrics"])),
                .product(
                    name: "Tracing", package: "swift-distributed-tracing",
                    condition: .when(traits: ["DistributedTracing"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
                .product(
                    name: "HTTPTypes", package: "swift-http-types",
                    condition: .when(traits: ["HTTPTypes"])),
                .product(
                    name: "OpenAPIRuntime", package: "swift-openapi-runtime",
                    condition: .when(traits: ["OpenAPIRuntime"])),
            ],
            packageAccess: false,
            swiftSettings: swiftSettings
        ),
        // What the tour and its server alone share.
        .target(
            name: "BluebonnetTourServer",
            dependencies: ["BluebonnetFixtureServer"],
            swiftSettings: swiftSettings
        ),
        // Does not depend on the library, so that a first program compiles it once.
        .executableTarget(
            name: "BluebonnetServe",
            dependencies: ["BluebonnetFixtureServer", "BluebonnetTourServer"],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "BluebonnetTour",
            dependencies: [
                "Bluebonnet", "BluebonnetCache", "BluebonnetChain", "BluebonnetFixtureServer",
                "BluebonnetTourServer",
            ],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "BluebonnetBenchmark",
            dependencies: [
                "Bluebonnet", "BluebonnetCache", "BluebonnetChain", "BluebonnetSQLiteCache",
                "BluebonnetTargets", "BluebonnetFixtureServer", "BluebonnetTestSupport",
            ],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "BluebonnetBenchmarkC",
            cSettings: cSettings,
            linkerSettings: [.linkedLibrary("curl")]
        ),
        .executableTarget(
            name: "BluebonnetSoak",
            dependencies: ["Bluebonnet", "BluebonnetFixtureServer", "BluebonnetTestSupport"],
            swiftSettings: swiftSettings
        ),
        // Answers name look-ups instead of the system.
        .target(
            name: "CBluebonnetTestResolver",
            path: "Tests/CBluebonnetTestResolver",
            cSettings: cSettings
        ),
        // Makes functions of libcurl fail, and the wall clock jump.
        .target(
            name: "CBluebonnetTestFaults",
            path: "Tests/CBluebonnetTestFaults",
            cSettings: cSettings
        ),
        // Processes, servers and the like, shared by tests, soak and benchmark. The library does not
        // depend on it.
        .target(
            name: "BluebonnetTestSupport",
            dependencies: ["BluebonnetTransport", "CBluebonnetMalloc"],
            path: "Tests/TestSupport",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetTransportTests",
            dependencies: [
                "BluebonnetFixtureServer", "BluebonnetTestSupport", "BluebonnetTransport",
                "CBluebonnetMalloc", "CBluebonnetTestFaults", "CBluebonnetTestResolver",
                "CBluebonnetZlib", "CBluebonnetZstd",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetTests",
            dependencies: [
                "Bluebonnet", "BluebonnetChain", "BluebonnetTargets", "BluebonnetTargetsTesting",
                "BluebonnetTestSupport", "BluebonnetTesting", "CBluebonnetMalloc",
            ],
            exclude: ["Chain/Encoding/Vectors", "Streaming/Framing/reference.py"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetCacheTests",
            dependencies: ["BluebonnetCache", "BluebonnetTestSupport", "BluebonnetTesting"],
            swiftSettings: swiftSettings
        ),
        // Stores responses until it is killed.
        .executableTarget(
            name: "BluebonnetSQLiteCacheProgram",
            dependencies: [
                "Bluebonnet", "BluebonnetCache", "BluebonnetSQLiteCache", "BluebonnetTestSupport",
            ],
            path: "Tests/SQLiteCacheProgram",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetSQLiteCacheTests",
            dependencies: [
                "Bluebonnet", "BluebonnetCache", "BluebonnetSQLiteCache",
                "BluebonnetSQLiteCacheProgram", "BluebonnetTestSupport", "BluebonnetTesting",
                "CBluebonnetSQLite",
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "ServerFrameworkNames",
            path: "Tests/ServerFrameworkNames",
            swiftSettings: swiftSettings
        ),
        // Programs with nothing but the library, in the style of those who come from Alamofire.
        .testTarget(
            name: "BluebonnetProgramTests",
            dependencies: [
                "Bluebonnet", "BluebonnetChain", "BluebonnetTargets", "BluebonnetTargetsTesting",
                "BluebonnetTesting", "ServerFrameworkNames",
            ],
            swiftSettings: swiftSettings
        ),
        // The inputs of the fuzzer, whose own package is beside them.
        .testTarget(
            name: "BluebonnetFuzzTests",
            dependencies: [
                "Bluebonnet", "BluebonnetTestSupport", "BluebonnetTransport", "CBluebonnetXML",
            ],
            path: "Tests/Fuzz",
            exclude: ["CFuzzer", "Corpus", "Fuzzer", "Package.swift", "files"],
            sources: ["Properties", "Replay"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetTestingTests",
            dependencies: [
                "Bluebonnet", "BluebonnetFixtureServer", "BluebonnetTestSupport",
                "BluebonnetTesting",
            ],
            exclude: ["Article/Cassettes"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetFixtureServerTests",
            dependencies: ["BluebonnetFixtureServer", "BluebonnetTestSupport"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetTourTests",
            dependencies: [
                "Bluebonnet", "BluebonnetFixtureServer", "BluebonnetServe", "BluebonnetTestSupport",
                "BluebonnetTour", "BluebonnetTourServer",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetBenchmarkTests",
            dependencies: ["BluebonnetBenchmark"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "BluebonnetIntegrationTests",
            dependencies: [
                "Bluebonnet", "BluebonnetCache", "BluebonnetChain", "BluebonnetSQLiteCache",
                "BluebonnetTargets", "BluebonnetFixtureServer", "BluebonnetTransport",
                "BluebonnetTestSupport", "BluebonnetTesting",
                "CBluebonnetMalloc",
                "CBluebonnetTestFaults",
                "CBluebonnetTestResolver",
            ],
            path: "Tests/IntegrationTests",
            exclude: ["Documentation/Program", "Outside"],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
