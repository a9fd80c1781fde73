import SystemKit

extension CatalogStore {
    /// Brings the catalog up to date with the disk.
    ///
    /// Works beside the store, which answers meanwhile. Two scans, also of two processes, run one after the other.
    /// Each source is scanned by itself: one that does not answer is left out after some seconds, and is a problem in
    /// the report; its games stay as they were.
    /// Files that were changed within the last second are looked at a second time a second later.
    /// - Parameters:
    ///   - systems: only these, by name or alias; `nil` for all.
    ///   - full: whether every file is looked at, also where a directory's time says that nothing changed.
    /// - Returns: what changed; places that could not be read are in it, they are no error.
    /// - Throws: `CatalogError.noSuchSystem`, or a failure of the databases.
    public func scan(systems: [String]? = nil, full: Bool = false) async throws(CatalogError) -> ScanReport {
        try ready()
        let result = await runScan(systems, full)
        switch result {
        case .success(let report):
            if !catalog.isCurrent { try reopenCatalog() }
            return report
        case .failure(let error) where error.isDamage(of: catalog.path):
            if catalog.isCurrent { _ = try putCatalogAside(catalog.path) }
            try reopenCatalog()
            return try await runScan(systems, full).get()
        case .failure(let error): throw error
        }
    }

    private func runScan(_ systems: [String]?, _ full: Bool) async -> Result<ScanReport, CatalogError> {
        let (root, registry, onChange) = (root, registry, onChange)
        return await onThread(name: "catalog-scan") { () throws(CatalogError) in
            try SourceScans(root: root, registry: registry) { onChange?($0) }.run(systems: systems, full: full)
        }
    }

    /// Waits until every game is found by a search as quickly as any, and one version stands for the others: what the
    /// menu's watcher does behind a scan.
    public func completeIndex() async throws(CatalogError) {
        try ready()
        let (root, registry, onChange) = (root, registry, onChange)
        let result: Result<Void, CatalogError> = await withCheckedContinuation { continuation in
            let code = startThread(name: "catalog-index") {
                do throws(CatalogError) {
                    try IndexFiller.fill(root: root, registry: registry, onChange: onChange)
                    continuation.resume(returning: .success(()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if code != 0 {
                let error = SystemError(call: "pthread_create", subject: "catalog-index", code: code)
                continuation.resume(returning: .failure(.file(error)))
            }
        }
        try result.get()
    }
}
