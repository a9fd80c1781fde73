/// A change of the disk.
public enum StorageChange: Sendable, Equatable, Codable {
    /// Grows root, or the given partition, into the free space behind it.
    ///
    /// - Parameter device: e.g. `/dev/sda1`; `nil` for the filesystem that `/` is on.
    case expand(device: String?)

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        switch self {
        case .expand(let device): try Expansion.prepare(device, on: machine).plan
        }
    }
}
