// The names that programs most often use of the modules above, so that the compiler says what to
// import. Where such a module is imported, the compiler takes its name, since that is available.

/// The type of ``AF``, whose name is in what the compiler says of a request made with it.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public struct ImportBluebonnetChain {}

/// The type of ``MoyaProvider``, whose name is in what the compiler says of a provider's arguments.
@available(
    *, unavailable,
    message: "import BluebonnetTargets; if the name is qualified, it is by BluebonnetTargets"
)
public struct ImportBluebonnetTargets {}

/// Alamofire's shared session, in BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public var AF: ImportBluebonnetChain { ImportBluebonnetChain() }

/// A name of BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public typealias AFError = BluebonnetError

/// A name of BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public typealias AFDataResponse<Success: Sendable> = Response<Success>

/// A name of BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public typealias DataRequest = DataTask

/// A name of BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public typealias DownloadRequest = DownloadTask

/// A name of BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public typealias UploadRequest = UploadTask

/// A name of BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public typealias DataStreamRequest = StreamTask

/// A name of BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public typealias URLEncoding = ImportBluebonnetChain

/// A name of BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public typealias JSONEncoding = ImportBluebonnetChain

/// A name of BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public typealias JSONParameterEncoder = ImportBluebonnetChain

/// A name of BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public protocol URLConvertible {}

/// A name of BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public protocol URLRequestConvertible {}

/// A name of BluebonnetChain.
@available(
    *, unavailable,
    message: "import BluebonnetChain; if the name is qualified, it is by BluebonnetChain"
)
public protocol EventMonitor {}

/// A name of BluebonnetTargets.
@available(
    *, unavailable,
    message: "import BluebonnetTargets; if the name is qualified, it is by BluebonnetTargets"
)
public protocol TargetType {}

/// A name of BluebonnetTargets.
@available(
    *, unavailable,
    message: "import BluebonnetTargets; if the name is qualified, it is by BluebonnetTargets"
)
public typealias TargetProvider<Target> = ImportBluebonnetTargets

/// A name of BluebonnetTargets.
@available(
    *, unavailable,
    message: "import BluebonnetTargets; if the name is qualified, it is by BluebonnetTargets"
)
public typealias MoyaProvider<Target> = ImportBluebonnetTargets

/// A name of BluebonnetTargets.
@available(
    *, unavailable,
    message: "import BluebonnetTargets; if the name is qualified, it is by BluebonnetTargets"
)
public struct Endpoint {}

/// A name of BluebonnetTargets.
@available(
    *, unavailable,
    message: "import BluebonnetTargets; if the name is qualified, it is by BluebonnetTargets"
)
public enum MoyaError {}

/// A name of BluebonnetTargets.
@available(
    *, unavailable,
    message: "import BluebonnetTargets; if the name is qualified, it is by BluebonnetTargets"
)
public protocol PluginType {}

/// A name of BluebonnetTargets.
@available(
    *, unavailable,
    message: "import BluebonnetTargets; if the name is qualified, it is by BluebonnetTargets"
)
public struct NetworkLoggerPlugin {}
