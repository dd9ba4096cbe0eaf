@_exported public import BluebonnetTargets
@_exported public import BluebonnetTesting
