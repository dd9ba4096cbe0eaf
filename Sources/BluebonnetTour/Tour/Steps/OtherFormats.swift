import Bluebonnet

/// Reads other formats than JSON.
enum OtherFormats: TourStep {
    static let title = "XML, plists, bytes"

    static let code = """
        let xml = await api.response(.get, "xml", serializer: .xmlDocument)
        let list = await api.response(.get, "plist", serializer: .propertyList)
        let bytes = try await api.get("bytes/10000")
        """

    static func take(_ stage: TourStage) async throws -> StepOutcome {
        let api = stage.api
        let xml = await api.response(.get, "xml", serializer: .xmlDocument)
        let list = await api.response(.get, "plist", serializer: .propertyList)
        let bytes = try await api.get("bytes/10000")
        let name = try xml.result.get().root.name
        let keys = (try list.result.get() as? [String: Any])?.count ?? 0
        return StepOutcome(
            held: name == "greeting" && keys == 2 && bytes.count == 10_000,
            text: "root <\(name)>, \(keys) keys, \(bytes.count) bytes")
    }
}
