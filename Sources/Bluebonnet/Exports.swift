@_exported public import BluebonnetTransport
@_exported public import Foundation
@_exported public import FoundationNetworking
