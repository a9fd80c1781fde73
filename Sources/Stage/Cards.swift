internal import SystemKit

/// A graphics card of the machine, as `/sys/class/drm` tells.
struct Card: Equatable {
    /// The N of `/dev/dri/cardN`.
    let index: Int
    /// Its outputs; a card without any only computes.
    let connectors: Int
    /// Outputs with a screen on them.
    let connected: Int

    /// The card to show pictures on: one with a screen, else one with outputs, else none.
    ///
    /// The numbers change between starts, so they only decide between equals.
    static func best(_ cards: [Card]) -> Card? {
        let able = cards.filter { $0.connectors > 0 }.sorted { $0.index < $1.index }
        return able.first { $0.connected > 0 } ?? able.first
    }

    /// All cards of a `/sys/class/drm` folder.
    static func all(in folder: BytePath = "/sys/class/drm") -> [Card] {
        guard let names = try? directoryNames(folder) else { return [] }
        var outputs: [Int: (all: Int, connected: Int)] = [:]
        for name in names {
            // card1 is a card, card1-HDMI-A-1 one of its outputs.
            let parts = name.displayString.split(separator: "-", maxSplits: 1)
            guard let card = parts.first, card.hasPrefix("card"), let index = Int(card.dropFirst(4)) else { continue }
            var counts = outputs[index] ?? (0, 0)
            if parts.count == 2, !parts[1].hasPrefix("Writeback") {
                counts.all += 1
                let status = try? readFile(folder.appending(name).appending("status"), limit: 4096)
                if status.map({ String(decoding: $0, as: UTF8.self).hasPrefix("connected") }) == true {
                    counts.connected += 1
                }
            }
            outputs[index] = counts
        }
        return outputs.map { Card(index: $0.key, connectors: $0.value.all, connected: $0.value.connected) }
            .sorted { $0.index < $1.index }
    }
}
