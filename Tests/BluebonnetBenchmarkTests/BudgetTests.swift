import Testing

@testable import BluebonnetBenchmark

@Suite("The budget of a request")
struct BudgetTests {
    private let output = """
        version: 1
        events: Ir
        ob=(1) /lib/libc.so.6
        fn=(7) malloc
        12 300
        fn=(1) start
        3 10
        cob=(2) /lib/libcurl.so.4
        cfn=(7)
        calls=5 12
        3 900
        cfn=(9) calloc
        calls=2 40
        4 100
        cfn=(8) malloc_trim
        calls=100 1
        4 1
        fn=(8)
        5 1
        cfn=(9)
        calls=4 40
        summary: 123456
        totals: 123456
        """

    @Test("instructions come from the summary, allocations from all calls to allocators")
    func profile() {
        let profile = CallgrindProfile(output)
        #expect(profile.instructions == 123_456)
        #expect(profile.allocations == 11)
        #expect(CallgrindProfile("").allocations == 0)
    }

    @Test("a cost is the slope between two request counts")
    func slope() {
        let few = CallgrindProfile("summary: 1000000")
        let many = CallgrindProfile("summary: 7000000")
        #expect(BudgetMeter.slope(few, many, \.instructions, of: 3000) == 2000)
    }

    @Test("a budget is kept if the median does not exceed it")
    func kept() {
        #expect(Budget.judge("allocations", [90, 70, 69], most: 70, "a-case").isKept)
        #expect(!Budget.judge("allocations", [60, 70.1, 90], most: 70, "a-case").isKept)
        #expect(!Budget.judge("allocations", [], most: 70, "a-case").isKept)
    }

    @Test("only costs close to their budget are measured again")
    func rounds() throws {
        let measured = [1.0, 1.3, 0.9]
        #expect(BudgetCommand.costs(atMost: 1.1, 3) { measured[$0] } == [1])
        #expect(BudgetCommand.costs(atMost: 1.02, 3) { measured[$0] } == measured)
        #expect(BudgetCommand.costs(atMost: 0.5, 2) { measured[$0] } == [1, 1.3])
    }

    @Test("every budget names an existing case")
    func cases() throws {
        for budget in Budget.all { #expect(try budget.benchmarkCase().name == budget.caseName) }
    }
}
