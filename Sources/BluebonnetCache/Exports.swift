@_exported public import Bluebonnet
