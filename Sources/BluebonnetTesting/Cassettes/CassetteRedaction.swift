public import Bluebonnet

/// The former name of the rules for hiding secrets in a cassette.
@available(*, unavailable, renamed: "Redactor")
public typealias CassetteRedaction = Redactor
