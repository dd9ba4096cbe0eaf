/// The way in which values of a type are encoded.
enum JSONEncodingForm {
    case scalar
    /// Encoded directly, with the same result as by the type's own `encode(to:)`.
    case direct(any JSONDirectEncodable.Type)
    case parameters
    case set
    /// A dictionary whose keys are not encoded as strings.
    case foreignDictionary
    /// Encoded by the type's own `encode(to:)`.
    case ordinary

    init(of type: any Any.Type) {
        switch type {
        case is any ScalarParameter.Type: self = .scalar
        case let dictionary as any EncodableDictionary.Type where !dictionary.hasNames:
            self = .foreignDictionary
        case let direct as any JSONDirectEncodable.Type: self = .direct(direct)
        case is Parameters.Type: self = .parameters
        case is any EncodableSet.Type: self = .set
        default: self = .ordinary
        }
    }
}
