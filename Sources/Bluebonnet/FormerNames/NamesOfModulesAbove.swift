// The names that programs most often use of the modules above, so that the compiler says what to
// import. Where such a module is imported, the compiler takes its name, since that is available.

/// The type of ``AF``, whose name is in what the compiler says of a request made with it.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public struct ImportBluebonnetChain {}

/// The type of ``MoyaProvider``, whose name is in what the compiler says of a provider's arguments.
@available(*, unavailable, message: "import BluebonnetTargets, which declares it")
public struct ImportBluebonnetTargets {}

/// Alamofire's shared session, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public var AF: ImportBluebonnetChain { ImportBluebonnetChain() }

/// Alamofire's name, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public typealias AFError = BluebonnetError

/// Alamofire's name, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public typealias AFDataResponse<Success: Sendable> = Response<Success>

/// Alamofire's name, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public typealias DataRequest = DataTask

/// Alamofire's name, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public typealias DownloadRequest = DownloadTask

/// Alamofire's name, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public typealias UploadRequest = UploadTask

/// Alamofire's name, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public typealias DataStreamRequest = StreamTask

/// Alamofire's name, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public typealias URLEncoding = ImportBluebonnetChain

/// Alamofire's name, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public typealias JSONEncoding = ImportBluebonnetChain

/// Alamofire's name, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public typealias JSONParameterEncoder = ImportBluebonnetChain

/// Alamofire's name, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public protocol URLConvertible {}

/// Alamofire's name, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public protocol URLRequestConvertible {}

/// Alamofire's name, which BluebonnetChain declares.
@available(*, unavailable, message: "import BluebonnetChain, which declares it")
public protocol EventMonitor {}

/// Moya's name, which BluebonnetTargets declares.
@available(*, unavailable, message: "import BluebonnetTargets, which declares it")
public protocol TargetType {}

/// Moya's name, which BluebonnetTargets declares.
@available(*, unavailable, message: "import BluebonnetTargets, which declares it")
public typealias TargetProvider<Target> = ImportBluebonnetTargets

/// Moya's name, which BluebonnetTargets declares.
@available(*, unavailable, message: "import BluebonnetTargets, which declares it")
public typealias MoyaProvider<Target> = ImportBluebonnetTargets

/// Moya's name, which BluebonnetTargets declares.
@available(*, unavailable, message: "import BluebonnetTargets, which declares it")
public struct Endpoint {}

/// Moya's name, which BluebonnetTargets declares.
@available(*, unavailable, message: "import BluebonnetTargets, which declares it")
public enum MoyaError {}

/// Moya's name, which BluebonnetTargets declares.
@available(*, unavailable, message: "import BluebonnetTargets, which declares it")
public protocol PluginType {}

/// Moya's name, which BluebonnetTargets declares.
@available(*, unavailable, message: "import BluebonnetTargets, which declares it")
public struct NetworkLoggerPlugin {}
