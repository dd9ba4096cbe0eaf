/// The place of a value in parameters, such as `filter.tags[2]`.
struct ParameterPath {
    /// A step into a dictionary or an array.
    enum Step {
        case key(String)
        case index(Int)
    }

    var steps: [Step] = []

    /// The path as shown in errors; empty for the parameters themselves.
    var text: String {
        steps.reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
