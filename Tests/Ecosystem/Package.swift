// swift-tools-version: 6.3
import PackageDescription

// A separate package, because the packages that it needs are neither built nor fetched without the
// traits. `scripts/check-ecosystem` runs its tests.
let package = Package(
    name: "Ecosystem",
    dependencies: [
        .package(
            name: "Bluebonnet", path: "../..",
            traits: [
                "SwiftLog", "SwiftMetrics", "DistributedTracing", "ServiceLifecycle", "HTTPTypes",
                "OpenAPIRuntime",
            ]),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.4.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-openapi-runtime.git", from: "1.0.0"),
    ],
    targets: [
        .testTarget(
            name: "EcosystemTests",
            dependencies: [
                .product(name: "Bluebonnet", package: "Bluebonnet"),
                .product(name: "BluebonnetEcosystem", package: "Bluebonnet"),
                .product(name: "BluebonnetTesting", package: "Bluebonnet"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
            ],
            path: ".",
            exclude: ["Support/server.py"],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
