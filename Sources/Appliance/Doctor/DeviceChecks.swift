import SystemKit

extension Doctor {
    /// Nodes of devices, the screen and the sound.
    static let devices = [
        DoctorCheck("input-permissions") { context in
            nodes(
                "dev/input", "event", "the controllers", group: "input", bits: 4, context,
                absent: "there is no input device")
        },
        DoctorCheck("graphics-permissions") { context in
            nodes(
                "dev/dri", "card", "the graphics card", group: "video", bits: 6, context,
                absent: "there is no graphics card")
        },
        DoctorCheck("display") { context in
            let connectors = context.names("sys/class/drm").filter { $0.hasPrefix("card") && $0.contains("-") }
            if connectors.isEmpty { return .ok("no connector for a screen is known") }
            let connected = connectors.filter { context.text("sys/class/drm/\($0)/status") == "connected" }
            if let first = connected.first { return .ok("a screen is at \(first)") }
            return .warning(
                "no screen is connected",
                cure: "switch the television on before the machine, use the HDMI socket next to the power plug, and "
                    + "try another cable")
        },
        DoctorCheck("sound") { context in
            let lines = context.lines("proc/asound/cards")
            if lines.contains(where: { $0.contains("]:") }) { return .ok("there is a sound card") }
            if !context.exists("proc/asound") && !context.isRaspberry { return .ok("this kernel has no sound") }
            return .failed(
                "there is no sound card",
                cure: "look whether config.txt has 'dtparam=audio=on' and 'dtoverlay=vc4-kms-v3d', then restart")
        },
        DoctorCheck("account-groups") { context in
            let player = context.player
            guard player.user != nil, player.user != 0 else { return .ok("no account of its own plays here") }
            let known = Set(context.lines("etc/group").compactMap { $0.split(separator: ":").first.map(String.init) })
            let missing = ["input", "video", "render", "audio"].filter { group in
                known.contains(group) && !player.groups.values.contains(group)
            }
            if missing.isEmpty { return .ok("\(player.name) is in the groups that playing needs") }
            let list = missing.joined(separator: ",")
            let machine = context.machine
            let name = BytePath(player.name)
            let fix = StepPlan([
                Step(
                    "add-groups", "Add \(player.name) to \(list)", command: ["usermod", "-aG", list, player.name],
                    act: { () throws(ApplianceError) in
                        try machine.programs.demand("usermod", ["-aG", BytePath(list), name], package: "passwd")
                    },
                    check: { () throws(ApplianceError) in
                        let now = PlayerAccount.find(machine).groups.values
                        return missing.allSatisfy(now.contains) ? nil : "the groups are still missing"
                    })
            ])
            return .failed(
                "\(player.name) is not in \(missing.joined(separator: ", ")), and so may not use all devices",
                cure: "'sudo usermod -aG \(list) \(player.name)', then restart", fix: fix)
        },
    ]

    private static func nodes(
        _ folder: String, _ prefix: String, _ what: String, group: String, bits: UInt32, _ context: DoctorContext,
        absent: String
    ) -> DoctorVerdict {
        let names = context.names(folder).filter { $0.hasPrefix(prefix) }
        if names.isEmpty { return .ok(absent) }
        let isPlayer = context.player.user == currentUserID
        let refused = names.filter { name in
            let path = context.machine.path("\(folder)/\(name)")
            guard let status = try? fileStatus(path) else { return false }
            // Who sits at the screen may be let in by a list that the permission bits do not show.
            if isPlayer, (try? checkReadable(path)) != nil { return false }
            return !context.player.may(bits, status)
        }
        guard let first = refused.first else { return .ok("\(context.player.name) may use \(what)") }
        return .failed(
            "\(context.player.name) may not use \(what): \(first)"
                + (refused.count > 1 ? " and \(refused.count - 1) more" : ""),
            cure: "'sudo usermod -aG \(group) \(context.player.name)', then restart")
    }
}
