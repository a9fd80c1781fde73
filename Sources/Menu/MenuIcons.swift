/// The drawings of the menu, as SVG, compiled into the program: nothing can be missing at run time.
public enum MenuIcons {
    /// The SVG of a drawing that `ImageSource.icon` names.
    public static func svg(_ name: String) -> [UInt8]? { all[name] }

    /// The names that exist.
    static var names: [String] { all.keys.sorted() }

    private static let all: [String: [UInt8]] = [
        "arcade": PackageResources.arcade_svg,
        "arrow-down": PackageResources.arrow_down_svg,
        "arrow-left": PackageResources.arrow_left_svg,
        "arrow-right": PackageResources.arrow_right_svg,
        "arrow-up": PackageResources.arrow_up_svg,
        "battery": PackageResources.battery_svg,
        "check": PackageResources.check_svg,
        "clock": PackageResources.clock_svg,
        "computer": PackageResources.computer_svg,
        "console": PackageResources.console_svg,
        "console-disc": PackageResources.console_disc_svg,
        "controller": PackageResources.controller_svg,
        "dpad-horizontal": PackageResources.dpad_horizontal_svg,
        "dpad-vertical": PackageResources.dpad_vertical_svg,
        "engine": PackageResources.engine_svg,
        "handheld": PackageResources.handheld_svg,
        "heart": PackageResources.heart_svg,
        "joystick": PackageResources.joystick_svg,
        "keyboard": PackageResources.keyboard_svg,
        "library": PackageResources.library_svg,
        "pad-bolt": PackageResources.pad_bolt_svg,
        "pad-circle": PackageResources.pad_circle_svg,
        "pad-cross": PackageResources.pad_cross_svg,
        "pad-home": PackageResources.pad_home_svg,
        "pad-menu": PackageResources.pad_menu_svg,
        "pad-square": PackageResources.pad_square_svg,
        "pad-triangle": PackageResources.pad_triangle_svg,
        "pad-view": PackageResources.pad_view_svg,
        "padbody-arcade": PackageResources.padbody_arcade_svg,
        "padbody-arcade-light": PackageResources.padbody_arcade_light_svg,
        "padbody-keyboard": PackageResources.padbody_keyboard_svg,
        "padbody-keyboard-light": PackageResources.padbody_keyboard_light_svg,
        "padbody-nintendo": PackageResources.padbody_nintendo_svg,
        "padbody-nintendo-light": PackageResources.padbody_nintendo_light_svg,
        "padbody-playstation": PackageResources.padbody_playstation_svg,
        "padbody-playstation-light": PackageResources.padbody_playstation_light_svg,
        "padbody-snes": PackageResources.padbody_snes_svg,
        "padbody-snes-light": PackageResources.padbody_snes_light_svg,
        "padbody-xbox": PackageResources.padbody_xbox_svg,
        "padbody-xbox-light": PackageResources.padbody_xbox_light_svg,
        "padshoulder-left": PackageResources.padshoulder_left_svg,
        "padshoulder-right": PackageResources.padshoulder_right_svg,
        "padtrigger-left": PackageResources.padtrigger_left_svg,
        "padtrigger-right": PackageResources.padtrigger_right_svg,
        "warning": PackageResources.warning_svg,
    ]
}
