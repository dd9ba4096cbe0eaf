import Foundation
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Forms computed by an independent script")
struct FormVectorTests {
    @Test("every value is encoded like by the script, with its options")
    func forms() throws {
        let vectors = try FormVector.all().filter { $0.form != nil }
        #expect(vectors.count > 700)
        for vector in vectors {
            let encoder = try #require(vector.options.encoder, "\(vector.rule)")
            let form: String = try encoder.encode(vector.value)
            #expect(form == vector.form, "\(vector.rule): \(vector.value), \(vector.options)")
            let data: Data = try encoder.encode(vector.value)
            #expect(data == Data(form.utf8))
        }
    }

    @Test("every value that the script refuses is refused for the same reason")
    func refusals() throws {
        let vectors = try FormVector.all().filter { $0.refusal != nil }
        #expect(vectors.count > 10)
        for vector in vectors {
            let encoder = try #require(vector.options.encoder, "\(vector.rule)")
            let error = #expect(throws: (any Error).self, "\(vector.rule): \(vector.value)") {
                _ = try encoder.encode(vector.value) as String
            }
            switch vector.refusal {
            case "root": #expect(error is URLEncodedFormEncoder.Error, "\(vector.value)")
            case "value": #expect(error is RequestSerializationError, "\(vector.value)")
            default: Issue.record("\(vector.rule) is refused for an unknown reason")
            }
        }
    }

    @Test("the script generates the stored file", .enabled(if: Python.isInstalled, Python.comment))
    func script() throws {
        let script = try String(contentsOf: FormVector.file("py"), encoding: .utf8)
        // A script passed with `-c` has no file, so it must print.
        let runner = script.replacing("sys.argv[1:] == [\"-\"]", with: "True")
        #expect(try Python.run(runner, input: "") == Data(contentsOf: FormVector.file("json")))
    }
}
