internal import SystemKit

/// What the machine has for picture and sound, as far as emulators must be told.
public struct DisplayFacts: Sendable, Equatable {
    /// Who owns the screen.
    public enum Server: String, Sendable {
        /// An X server (`DISPLAY`).
        case x11
        /// A Wayland compositor (`WAYLAND_DISPLAY`).
        case wayland
        /// Nobody: programs draw through the kernel's mode setting.
        case kms
    }

    /// Who takes the sound.
    public enum Sound: String, Sendable {
        /// A sound server: PulseAudio, or PipeWire in its place.
        case server
        /// A sound card alone.
        case card
        /// Nothing: programs must be told, or they fail or run too fast.
        case none
    }

    /// Who owns the screen.
    public let server: Server
    /// Whether there is a graphics processor that OpenGL would run on; without one, drawing is done by the CPU.
    public let hasGPU: Bool
    /// Where sound goes.
    public let sound: Sound

    /// Facts as given, for tests.
    public init(server: Server, hasGPU: Bool, sound: Sound = .card) {
        self.server = server
        self.hasGPU = hasGPU
        self.sound = sound
    }

    /// Looks at the machine.
    public static func detect(environment: [String: String]) -> DisplayFacts {
        let isSet = { (name: String) in environment[name]?.isEmpty == false }
        // XWayland sets both; emulators of Debian 12 are best at X11.
        let server: Server = isSet("DISPLAY") ? .x11 : isSet("WAYLAND_DISPLAY") ? .wayland : .kms
        let hasGPU = ((try? directoryNames("/dev/dri")) ?? []).contains { $0.bytes.starts(with: "renderD".utf8) }
        let hasCard = ((try? directoryNames("/dev/snd")) ?? []).contains { $0.bytes.starts(with: "pcm".utf8) }
        let runtime = BytePath(environment["XDG_RUNTIME_DIR"] ?? "")
        let hasServer =
            isSet("PULSE_SERVER") || runtime.isAbsolute && fileExists(runtime.appending("pulse/native"))
        return DisplayFacts(server: server, hasGPU: hasGPU, sound: hasServer ? .server : hasCard ? .card : .none)
    }
}

extension DisplayFacts {
    /// What programs of their own need in the environment.
    var standaloneEnvironment: [String: String] {
        var result: [String: String] = [:]
        // SDL 2 of Debian 12 does not try KMS by itself when a stale DISPLAY was inherited.
        if server == .kms { result["SDL_VIDEODRIVER"] = "kmsdrm" }
        if sound == .none { result["SDL_AUDIODRIVER"] = "dummy" }
        return result
    }

    /// What must not reach a game: settings of ours for SDL, and what would start somebody else's code in it.
    var harmfulEnvironment: [String] {
        [
            "SDL_VIDEODRIVER", "SDL_AUDIODRIVER", "SDL_RENDER_DRIVER", "SDL_VIDEO_X11_WMCLASS",
            "SDL_GAMECONTROLLERCONFIG", "SDL_GAMECONTROLLERCONFIG_FILE", "SDL_JOYSTICK_DEVICE", "LD_PRELOAD",
            "LD_AUDIT", "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID",
            "LISTEN_FDNAMES", "WATCHDOG_PID", "WATCHDOG_USEC", "RETRO_HOME",
        ]
    }
}
