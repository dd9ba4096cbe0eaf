/// How the values of a type are encoded.
enum JSONEncodingForm {
    case scalar
    /// Without its own `encode(to:)`, with the same result.
    case direct(any JSONDirectEncodable.Type)
    case parameters
    case set
    /// A dictionary whose keys are no texts.
    case foreignDictionary
    /// By its `encode(to:)`.
    case ordinary

    init(of type: any Any.Type) {
        switch type {
        case is any ScalarParameter.Type: self = .scalar
        case let dictionary as any EncodableDictionary.Type where !dictionary.hasStringKeys:
            self = .foreignDictionary
        case let direct as any JSONDirectEncodable.Type: self = .direct(direct)
        case is Parameters.Type: self = .parameters
        case is any EncodableSet.Type: self = .set
        default: self = .ordinary
        }
    }
}
