public import SystemKit

/// Where everything lives on this machine.
///
/// On the appliance the games are under `/srv/retro`, state under `/var/lib/retro` and configuration under
/// `/etc/retro`; elsewhere all three hang below one folder of the person's.
public struct DataRoot: Sendable, Equatable {
    /// The folder that the share shows.
    public let root: BytePath
    /// One folder a system, named as `SystemDefinition.name`.
    public let roms: BytePath
    /// Databases, logs and generated files.
    public let state: BytePath
    /// `systems.d` and what else a person may edit.
    public let configuration: BytePath

    /// Firmware files that emulators need.
    public var bios: BytePath { root.appending("bios") }
    /// In-game saves, a folder a system.
    public var saves: BytePath { root.appending("saves") }
    /// Save states, a folder a system.
    public var states: BytePath { root.appending("states") }
    /// Pictures taken while playing, a folder a system.
    public var screenshots: BytePath { root.appending("screenshots") }
    /// Artwork: `media/<system>/{covers,screenshots,marquees,videos}`.
    public var media: BytePath { root.appending("media") }
    /// Person-made system definitions.
    public var systemsDirectory: BytePath { configuration.appending("systems.d") }

    /// Everything below one folder; `roms` may be elsewhere.
    public init(root: BytePath, roms: BytePath? = nil, state: BytePath? = nil, configuration: BytePath? = nil) {
        let root = root.absolute
        self.root = root
        self.roms = roms?.absolute ?? root.appending("roms")
        self.state = state?.absolute ?? root.appending(".retro")
        self.configuration = configuration?.absolute ?? root.appending(".retro")
    }

    /// Chooses the root as the contract says: the option, else `RETRO_HOME`, else the appliance's own places where
    /// they exist, else `~/retro`.
    ///
    /// - Parameters:
    ///   - option: the value of `--root`.
    ///   - environment: the process's environment.
    ///   - applianceMarker: a path that exists on the appliance only.
    public static func resolve(
        option: BytePath?, roms: BytePath? = nil, environment: [String: String],
        applianceMarker: BytePath = "/etc/retro"
    ) -> DataRoot {
        if let option { return DataRoot(root: option, roms: roms) }
        if let home = environment["RETRO_HOME"], !home.isEmpty { return DataRoot(root: BytePath(home), roms: roms) }
        if fileExists(applianceMarker) {
            return DataRoot(root: "/srv/retro", roms: roms, state: "/var/lib/retro", configuration: applianceMarker)
        }
        // A home that depends on the working directory would be another one at each start.
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/root"
        return DataRoot(root: BytePath(home).appending("retro"), roms: roms)
    }
}
