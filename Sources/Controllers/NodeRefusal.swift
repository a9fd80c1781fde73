internal import EvdevKit
internal import SystemKit

/// A node that could not be opened, and when to try again; never, once it was told, until something about it changes.
struct NodeRefusal {
    /// Udev may set the mode a moment after the node appeared: 0.1, 0.2 ... 1.6 s, together about 3 s.
    static let attempts = 5

    let node: InputNode
    let attempt: Int
    /// `nil` once the problem was told.
    let due: MonotonicInstant?

    var wasTold: Bool { due == nil }

    /// What is wrong, and what a person can do about it.
    static func sentence(node: BytePath, _ error: SystemError, stop: String = ".") -> String {
        guard error.isPermission, let status = try? fileStatus(node) else {
            return "The controller at \(node) cannot be used: \(error.reason)\(stop)"
        }
        let digits = String(status.permissions, radix: 8)
        let mode = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "The controller at \(node) may not be read: the node has mode \(mode) and belongs to user "
            + "\(status.owner). Add this user to the group input, or give the node a udev rule\(stop)"
    }
}

extension SystemError {
    /// Whether the device behind a node is not there any more.
    var isGone: Bool { isNotFound || code == noDevice || code == noSuchDevice }
}

/// `ENODEV` and `ENXIO`.
private let noDevice: Int32 = 19
private let noSuchDevice: Int32 = 6
