// swift-format-ignore-file
// The names that a server framework such as Vapor has, too.

public struct Request: Sendable { public init() {} }
public struct Response: Sendable { public init() {} }
public struct HTTPHeaders: Sendable { public init() {} }
public struct HTTPMethod: Sendable { public init() {} }
public struct Session: Sendable { public init() {} }
public struct Parameters: Sendable { public init() {} }
public struct Empty: Sendable { public init() {} }
public protocol Authenticator: Sendable {}
