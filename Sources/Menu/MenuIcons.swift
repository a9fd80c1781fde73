/// The drawings of the menu, as SVG, compiled into the program: nothing can be missing at run time.
public enum MenuIcons {
    /// The SVG of a drawing that `ImageSource.icon` names.
    public static func svg(_ name: String) -> [UInt8]? { all[name] }

    /// The names that exist.
    static var names: [String] { all.keys.sorted() }

    private static let all: [String: [UInt8]] = [
        "arcade": PackageResources.arcade_svg,
        "check": PackageResources.check_svg,
        "clock": PackageResources.clock_svg,
        "computer": PackageResources.computer_svg,
        "console": PackageResources.console_svg,
        "console-disc": PackageResources.console_disc_svg,
        "dpad-horizontal": PackageResources.dpad_horizontal_svg,
        "dpad-vertical": PackageResources.dpad_vertical_svg,
        "engine": PackageResources.engine_svg,
        "handheld": PackageResources.handheld_svg,
        "heart": PackageResources.heart_svg,
        "library": PackageResources.library_svg,
        "pad-circle": PackageResources.pad_circle_svg,
        "pad-cross": PackageResources.pad_cross_svg,
        "pad-square": PackageResources.pad_square_svg,
        "pad-triangle": PackageResources.pad_triangle_svg,
        "warning": PackageResources.warning_svg,
    ]
}
