import Appliance

/// Names under which the catalog keeps what its lists look like.
enum LibrarySetting {
    /// `on` shows folders as folders.
    static let folders = Settings.folders.key
    /// `off` makes every version a row of its own.
    static let collapse = Settings.collapsesVersions.key
    /// Regions in the order of preference, with commas between.
    static let regions = Settings.regions.key
}
