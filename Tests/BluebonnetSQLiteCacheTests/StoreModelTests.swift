import Bluebonnet
@testable import BluebonnetCache
import BluebonnetSQLiteCache
import BluebonnetSQLiteCacheProgram
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("A store on disk, beside a dictionary", .timeLimit(.minutes(5)))
struct StoreModelTests {
    private struct Place: Hashable {
        var url: String
        var partition: String
        var accept: String?

        init(_ sample: Sample) {
            (url, partition, accept) = (
                sample.url, sample.partition, sample.selecting["accept"] ?? nil
            )
        }
    }

    private static func sample(using generator: inout SeededGenerator) -> Sample {
        var sample = Sample.random(using: &generator)
        sample.url = "http://a.test/\(Int.random(in: 0..<6, using: &generator))"
        sample.partition = ["", "x"].randomElement(using: &generator) ?? ""
        sample.selecting = [
            "accept": ["a", "b", nil].randomElement(using: &generator) ?? nil
        ]
        return sample
    }

    @Test("finds what the dictionary has, with the same bodies, after any calls and openings")
    func walks() async throws {
        let first = RandomWalks.firstSeed
        for seed in first..<first + UInt64(RandomWalks.count(15)) {
            let fixture = try StoreFixture()
            var stores = [fixture.store(), fixture.store()]
            var model: [Place: (sample: Sample, mark: String)] = [:]
            var generator = SeededGenerator(seed: seed)
            for step in 0..<150 {
                // What one store was asked is done before the other is.
                let store = stores[Int.random(in: 0..<2, using: &generator)]
                let sample = Self.sample(using: &generator)
                let place = Place(sample)
                switch Int.random(in: 0..<20, using: &generator) {
                case 0..<8:
                    try await store.add(sample)
                    model[place] = (sample, "")
                case 8..<11:
                    guard let known = model[place] else { continue }
                    let mark = "\(step)"
                    store.update(
                        try known.sample.response().updated(
                            with: [Exchange.Field(name: "X-Mark", value: mark)],
                            requestDate: Date(), responseDate: Date(), instant: .zero))
                    model[place] = (known.sample, mark)
                case 11..<13:
                    store.remove(try (model[place]?.sample ?? sample).response())
                    model[place] = nil
                case 13:
                    store.removeAll(for: sample.url)
                    model = model.filter { $0.key.url != sample.url }
                case 14 where step % 4 == 0:
                    store.removeAll()
                    model = [:]
                case 15: stores = [fixture.store(), fixture.store()]
                default: break
                }
                try await store.settle()
                let found = try await store.responses(for: sample)
                let known = model.filter {
                    $0.key.url == sample.url && $0.key.partition == sample.partition
                }
                let note: Comment = "step \(step); to repeat it: BLUEBONNET_SEED=\(seed)"
                #expect(Set(found.map(\.id)) == Set(known.values.map(\.sample.id)), note)
                for response in found {
                    let mark = response.fields.first { $0.name == "X-Mark" }?.value ?? ""
                    #expect(known[Place(Sample(response))]?.mark == mark, note)
                    let body = try #require(await store.body(of: response), note)
                    #expect(try await body.hasBytes(of: Sample(response).body), note)
                }
            }
            #expect(fixture.failures.withLock { $0 }.isEmpty)
        }
    }
}
