import Appliance
import Catalog
import SystemKit

/// Tells when a disk with games is plugged, and when a place of games comes or goes.
final class SourceNews {
    private let inquiry: Inquiry
    private let machine: Machine
    private var known: Known?
    /// Called with a sentence.
    var tell: ((String) -> Void)?

    private struct Known: Sendable {
        let sources: [GameSource]
        let candidates: [GameSource]
    }

    init(courier: Courier, machine: Machine) {
        inquiry = Inquiry(courier: courier)
        self.machine = machine
    }

    /// Compares what is there with what was there before.
    func look() {
        let machine = machine
        inquiry.ask({
            { store in
                // Games on a stick are offered for copying (`StickNews`), once and not twice.
                let sticks = Stick.plugged(on: machine).map(\.point)
                let candidates = try await store.candidateSources().filter { candidate in
                    !sticks.contains { $0 == candidate.path || candidate.path.relative(to: $0) != nil }
                }
                return Known(sources: try await store.sources(), candidates: candidates)
            }
        }) { [weak self] now in
            guard let self else { return }
            let before = self.known
            self.known = now
            // What is there at the start is no news, except for a disk that was never used.
            let old = before.map { ($0.sources, $0.candidates) }
            for sentence in SourceNews.sentences(from: old, to: (now.sources, now.candidates)) {
                self.tell?(sentence)
            }
        }
    }

    /// What a person should hear of.
    static func sentences(
        from before: (sources: [GameSource], candidates: [GameSource])?,
        to now: (sources: [GameSource], candidates: [GameSource])
    ) -> [String] {
        var sentences: [String] = []
        for source in now.sources {
            guard let old = before?.sources.first(where: { $0.id == source.id }), old.isPresent != source.isPresent
            else { continue }
            sentences.append(
                source.isPresent
                    ? "\(source.label) is back" : "\(source.label) is not there; its games come back with it")
        }
        let places = Set(before?.candidates.map(\.path) ?? [])
        for candidate in now.candidates where !places.contains(candidate.path) {
            sentences.append("\(candidate.label) has games. Add it under Menu, Games folders")
        }
        return sentences
    }
}
