public import Appliance
import Catalog
import Controllers
import Interface
import Launching
public import SystemKit
import Systems

/// How another computer reaches the folder of games.
public struct ShareAddress: Sendable, Equatable {
    /// For Windows' Explorer, e.g. `\\RETROPIE\roms`; `nil` where nothing shares the folder.
    public let windows: String?
    /// For macOS and Linux, e.g. `smb://192.168.1.20/roms`.
    public let url: String?
    /// The folder on this machine.
    public let folder: BytePath

    /// The addresses of a share that works now; otherwise only the folder is told.
    public init(_ facts: ShareFacts, folder: BytePath) {
        let isUsable = facts.state == .running && !facts.isReadOnly
        self.init(
            windows: isUsable ? facts.windowsAddress : nil, url: isUsable ? facts.addresses.first : nil,
            folder: folder)
    }

    /// An address with all its parts.
    public init(windows: String?, url: String?, folder: BytePath) {
        self.windows = windows
        self.url = url
        self.folder = folder
    }
}

/// What all screens share. Lives on the menu's thread.
final class MenuContext {
    var theme: Theme
    let root: DataRoot
    let registry: SystemRegistry
    let locator: EmulatorLocator
    let courier: Courier
    /// Finds pictures; it remembers folders that it has looked into.
    let artwork: Artwork
    let controllers: ControllerTable
    /// The machine under the menu.
    let machine: MachineDesk
    var share: ShareAddress
    var mapper = InputMapper()
    /// Whose letters the hints show: the device that was used last.
    var family: PadFamily = .keyboard
    /// The pad that was used last; `nil` for a keyboard.
    var pad: PadInfo?
    var uses24Hours = true
    /// Whether the folders of a system are shown as folders.
    var browsesFolders = false
    /// Whether versions of the same game are one row.
    var collapsesVersions = true
    /// Which region's version stands for a game: the first that there is.
    var regionOrder = RegionOrder.standard
    /// Where in each list the person was.
    var places: [ListKey: ListPlace] = [:]
    weak var host: (any MenuHost)?

    init(
        theme: Theme, root: DataRoot, registry: SystemRegistry, locator: EmulatorLocator, courier: Courier,
        controllers: ControllerTable, machine: MachineDesk, share: ShareAddress
    ) {
        self.machine = machine
        self.theme = theme
        self.root = root
        self.registry = registry
        self.locator = locator
        self.courier = courier
        artwork = Artwork(root: root, registry: registry)
        self.controllers = controllers
        self.share = share
    }

    func glyph(_ command: Command) -> ButtonGlyph {
        ButtonGlyph(command: command, family: family, swapsAcceptAndBack: mapper.swapsAcceptAndBack)
    }

    /// The accent of a system, or of the program for none.
    func accent(_ system: String?) -> Color {
        guard let system, let definition = registry.system(named: system) else { return Theme.brand }
        return Theme.accent(definition.color)
    }

    /// The drawing that stands for a system.
    func icon(_ system: String?) -> ImageSource {
        guard let system, let definition = registry.system(named: system) else { return .icon("library") }
        return MenuContext.icon(definition)
    }

    static func icon(_ definition: SystemDefinition) -> ImageSource {
        switch definition.kind {
        case .handheld: .icon("handheld")
        case .computer: .icon("computer")
        case .arcade: .icon("arcade")
        case .engine: .icon("engine")
        case .console: .icon(definition.medium == .disc ? "console-disc" : "console")
        }
    }
}

/// Which list it is.
struct ListKey: Hashable {
    let query: GameQuery
    let folder: BytePath?

    init(_ query: GameQuery, _ folder: BytePath?) {
        self.query = query
        self.folder = folder
    }
}

/// The order in which regions are preferred.
enum RegionOrder {
    /// What counts while nobody chose another one.
    static let standard = ["USA", "World", "Europe", "Japan"]

    /// From a setting's text: names with commas between.
    static func parse(_ text: String) -> [String] {
        let names = text.split(separator: ",").map { String($0).trimmedBlanks }.filter { !$0.isEmpty }
        return names.isEmpty ? standard : names
    }
}
