@_exported public import BluebonnetChain
