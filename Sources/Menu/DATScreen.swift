import Catalog
import Interface
import SystemKit
import Systems

/// DAT files: lists that know games by their contents, and how far the reading of the contents is.
final class DATPanel: ChoiceScreen {
    private let inquiry: Inquiry
    private var isBusy = false
    private var known: Answer?

    private struct Answer: Sendable {
        let imported: [DATFile]
        let files: [BytePath]
    }

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(
            context: context, title: "Names by contents",
            subtitle: "DAT files in \(DATPanel.folder(context).displayString)", rows: [])
        fill()
    }

    /// Where a person puts DAT files.
    private static func folder(_ context: MenuContext) -> BytePath { context.root.root.appending("dats") }

    override func appear() { look() }

    private func look() {
        let folder = DATPanel.folder(context)
        inquiry.ask({
            { store in
                let names = (try? directoryNames(folder)) ?? []
                let files = names.filter { name in
                    let kind = name.fileExtension.map { BytePath(bytes: $0).displayString.lowercased() }
                    return kind == "dat" || kind == "xml"
                }
                return Answer(
                    imported: try await store.dats(),
                    files: files.sorted { $0.displayString < $1.displayString }.map { folder.appending($0) })
            }
        }) { [weak self] answer in
            self?.known = answer
            self?.fill()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private func fill() {
        guard let known else { return replace([]) }
        var rows = known.files.map { file in
            Row(label: file.name.displayString, value: "import") { [weak self] in self?.chooseSystem(of: file) }
        }
        rows += known.imported.map { dat in
            let system = context.registry.system(named: dat.system)?.name ?? dat.system
            return Row(label: dat.name, value: "\(system), \(Phrase.games(dat.games))", isChecked: true) {
                [weak self] in self?.remove(dat)
            }
        }
        if rows.isEmpty { rows.append(Row(label: "No DAT file is there yet") {}) }
        if !known.imported.isEmpty {
            rows.append(Row(label: "Read the files now") { [weak self] in self?.identify() })
        }
        replace(rows)
    }

    private func chooseSystem(of file: BytePath) {
        guard !isBusy else { return }
        let registry = context.registry
        context.courier.perform({ store in
            let games = Set(try await store.counts().map(\.system))
            return registry.systems.filter { games.contains($0.name) }.map(\.name)
        }) { [weak self] names in
            guard let self, self.context.host?.top === self else { return }
            let rows = names.map { name in
                Row(label: registry.system(named: name)?.fullName ?? name) { [weak self] in
                    self?.context.host?.pop()
                    self?.take(file, system: name)
                }
            }
            self.context.host?.push(
                ChoiceScreen(
                    context: self.context, title: "For which system?", subtitle: file.name.displayString, rows: rows))
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private func take(_ file: BytePath, system: String) {
        isBusy = true
        context.host?.toast("Reading \(file.name.displayString)")
        context.courier.change({ store in
            try await store.importDAT(from: file, system: system)
        }) { [weak self] report in
            self?.isBusy = false
            let problems = report.problemCount == 0 ? "" : ", \(Phrase.grouped(report.problemCount)) unreadable"
            self?.context.host?.toast(
                report.games == 0 ? "No game is in it" : "\(Phrase.games(report.games)) known by contents\(problems)")
            self?.look()
        } failed: { [weak self] sentence in
            self?.isBusy = false
            self?.context.host?.toast(sentence)
        }
    }

    private func remove(_ dat: DATFile) {
        context.host?.push(
            QuestionScreen(
                context: context, title: "Forget \(dat.name)?",
                sentence: "Games that it named get the names of their files again. The DAT file itself stays.",
                yes: "Forget", no: "Keep"
            ) { [weak self] in
                self?.context.courier.change({ store in _ = try await store.removeDAT(dat.id) }) { [weak self] in
                    self?.look()
                } failed: { [weak self] sentence in
                    self?.context.host?.toast(sentence)
                }
            })
    }

    /// Reads what was not read yet; otherwise that happens by itself, when nothing else is to do.
    private func identify() {
        guard !isBusy else { return }
        isBusy = true
        context.host?.toast("Reading the files of the games")
        context.courier.perform({ store in try await store.identify() }) { [weak self] report in
            self?.isBusy = false
            self?.context.host?.toast(
                "\(Phrase.grouped(report.looked)) files read, \(Phrase.games(report.identified)) known"
                    + (report.problems > 0 ? ", \(Phrase.grouped(report.problems)) with problems" : ""))
        } failed: { [weak self] sentence in
            self?.isBusy = false
            self?.context.host?.toast(sentence)
        }
    }
}
