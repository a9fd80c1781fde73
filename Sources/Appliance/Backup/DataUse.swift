import SystemKit

/// Finds out whether a menu, or another program of ours, has a person's data open.
struct DataUse {
    let machine: Machine

    /// The program that uses the data, e.g. `retro-menu (1234)`; `nil` where none does.
    func holder() -> String? {
        let own = String(currentProcessID)
        let wanted = BackupContents.databases.compactMap { try? fileStatus(machine.data.state.appending($0)) }
        for name in ((try? directoryNames(machine.path("proc"))) ?? []).sorted() {
            guard let number = name.validUTF8, number != own, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let program = machine.files.text("proc/\(number)/comm"), program.hasPrefix("retro-")
            else { continue }
            let folder = machine.path("proc/\(number)/fd")
            // Another user's program does not say what it has open: the menu may have the data.
            guard let files = try? directoryNames(folder) else {
                if program == "retro-menu" { return "\(program) (\(number))" }
                continue
            }
            let isHolding = files.contains { file in
                guard let status = try? fileStatus(folder.appending(file)) else { return false }
                return wanted.contains { $0.device == status.device && $0.inode == status.inode }
            }
            if isHolding { return "\(program) (\(number))" }
        }
        return nil
    }
}
