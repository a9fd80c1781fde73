import SystemKit

/// A change of what is mounted of USB sticks, on a machine without a desktop that does it.
public enum StickChange: Sendable, Equatable, Codable {
    /// Mounts a partition of a removable or USB disk below `/media/retro`.
    ///
    /// - Parameter device: the kernel's name, e.g. `sda1`.
    case mount(device: String)
    /// Takes it out of the tree again, also where the disk is gone.
    case unmount(device: String)

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        switch self {
        case .mount(let device): try StickMount(device, machine).mounting()
        case .unmount(let device): try StickMount(device, machine).unmounting()
        }
    }
}
