/// The known word that somebody most likely meant, if one is near enough to be worth saying.
func nearest(to word: String, among known: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased())
    guard !typed.isEmpty, typed.count <= 64 else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in known {
        let letters = Array(candidate.lowercased())
        // The beginning of a longer word is a good guess, however much is left out.
        let isBeginning = typed.count >= 2 && letters.starts(with: typed)
        let distance = isBeginning ? 1 : editDistance(typed, letters)
        // A third of the letters wrong is a slip; more is another word.
        guard distance <= max(1, max(typed.count, letters.count) / 3) else { continue }
        if distance < best?.distance ?? Int.max { best = (candidate, distance) }
    }
    return best?.word
}

/// How many letters must be added, dropped, replaced or swapped with their neighbour.
func editDistance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
        var row = [i + 1]
        for j in right.indices {
            var cost = min(last[j] + (left[i] == right[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                cost = min(cost, beforeLast[j - 1] + 1)
            }
            row.append(cost)
        }
        beforeLast = last
        last = row
    }
    return last[right.count]
}
