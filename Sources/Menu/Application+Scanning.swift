import Catalog

extension Application {
    func rescan() {
        toast("Looking for new games")
        context.courier.perform({ store in try await store.scan(systems: nil, full: true) }) { [weak self] report in
            self?.toast(
                report.added == 0
                    ? "Nothing new" : report.added == 1 ? "1 new game" : "\(Phrase.grouped(report.added)) new games")
        } failed: { [weak self] sentence in
            self?.toast(sentence)
        }
    }
}

extension String {
    func prefixed(_ count: Int) -> String { String(prefix(count)) }
}
