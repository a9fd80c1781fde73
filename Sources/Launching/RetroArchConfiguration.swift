internal import SystemKit

/// The complete configuration of one RetroArch run.
struct RetroArchConfiguration {
    let contents: [UInt8]
    let folders: [BytePath]

    init(places: LaunchPlaces, bios: BytePath, core: BytePath, profiles: BytePath, display: DisplayFacts) {
        contents = []
        folders = []
    }
}
