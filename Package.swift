// swift-tools-version: 6.0

import PackageDescription

// The floors of the house (docs/architecture.md): a target may use only floors below it.
// Tests/ArchitectureTests reads this manifest's graph and fails on an upward or sideways arrow.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A Swift target of ours: every one is compiled with the same settings.
func target(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// The tests of one target.
func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

let package = Package(
    name: "retro-appliance",
    products: [
        .executable(name: "retro-menu", targets: ["retro-menu"]),
        .executable(name: "retro-admin", targets: ["retro-admin"]),
    ],
    targets: [
        // Floor 0: C libraries as Debian packages them, and the few calls Swift cannot see.
        .target(name: "CLinux", linkerSettings: [.linkedLibrary("crypt")]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .systemLibrary(
            name: "CSDL", pkgConfig: "SDL2_ttf",
            providers: [.apt(["libsdl2-dev", "libsdl2-ttf-dev", "libsdl2-image-dev"])]),
        .systemLibrary(name: "CFontconfig", pkgConfig: "fontconfig", providers: [.apt(["libfontconfig-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CXInput", pkgConfig: "xi", providers: [.apt(["libxi-dev", "libx11-dev"])]),

        // Floor 1: kits, one C library each in thin owned types.
        target("SystemKit", ["CLinux"]),
        target("SQLiteKit", ["CSQLite", "SystemKit"]),
        target("EvdevKit", ["CEvdev", "CUdev", "CLinux", "SystemKit"]),
        target("SDLKit", ["CSDL", "SystemKit"]),
        target("FontKit", ["CFontconfig", "SystemKit"]),
        target("XInputKit", ["CXInput", "SystemKit"]),
        target("XMLKit", ["CExpat"]),
        target("ArchiveKit", ["CArchive", "SystemKit"]),
        target("DigestKit", ["CNettle", "CZlib"]),

        // Floor 2: the field.
        target("Systems", ["SystemKit"], resources: [.embedInCode("Resources")]),
        target("Catalog", ["Systems", "SQLiteKit", "XMLKit", "ArchiveKit", "DigestKit", "SystemKit"]),
        target("Controllers", ["EvdevKit", "XInputKit", "XMLKit", "SystemKit"]),
        target("Launching", ["Systems", "Catalog", "Controllers", "ArchiveKit", "SystemKit"]),
        target("Appliance", ["SQLiteKit", "ArchiveKit", "DigestKit", "SystemKit"]),

        // Floor 3: faces.
        target("Interface"),
        target("Stage", ["Interface", "SDLKit", "FontKit", "SystemKit"]),
        target(
            "Menu",
            ["Interface", "Systems", "Catalog", "Controllers", "Launching", "Appliance", "SystemKit"],
            resources: [.embedInCode("Resources")]),
        target("Commands", ["Systems", "Catalog", "Controllers", "Launching", "Appliance", "SystemKit"]),

        // Floor 4: doors.
        .executableTarget(
            name: "retro-menu",
            dependencies: [
                "Menu", "Stage", "Interface", "Launching", "Appliance", "Controllers", "Catalog", "Systems",
                "SystemKit",
            ],
            swiftSettings: strict),
        .executableTarget(name: "retro-admin", dependencies: ["Commands", "SystemKit"], swiftSettings: strict),
        // For measuring only; no product.
        .executableTarget(
            name: "pad-latency", dependencies: ["Controllers", "EvdevKit", "SystemKit"],
            path: "scripts/lib/pad-latency", swiftSettings: strict),

        // Makes archives for tests.
        .target(
            name: "ArchiveSupport", dependencies: ["CArchive"], path: "Tests/ArchiveSupport", swiftSettings: strict),
        tests("SystemKitTests", ["SystemKit"]),
        tests("SQLiteKitTests", ["SQLiteKit", "SystemKit"]),
        tests("ArchiveKitTests", ["ArchiveKit", "ArchiveSupport", "SystemKit"]),
        tests("DigestKitTests", ["DigestKit"]),
        tests("SystemsTests", ["Systems", "SystemKit"]),
        .executableTarget(
            name: "catalog-writer", dependencies: ["Catalog", "Systems", "SystemKit"],
            path: "Tests/EndToEnd/catalog-writer", swiftSettings: strict),
        // For tests only: a device that fails, tears and forgets, below SQLite.
        .target(name: "CFaultyVFS", dependencies: ["CSQLite"], path: "Tests/CFaultyVFS"),
        tests(
            "CatalogTests",
            [
                "Catalog", "Systems", "SQLiteKit", "XMLKit", "ArchiveKit", "ArchiveSupport", "DigestKit", "SystemKit",
                "CFaultyVFS",
            ]),
        tests(
            "ControllersTests", ["Controllers", "EvdevKit", "XMLKit", "SystemKit"], resources: [.copy("Golden")]),
        tests(
            "LaunchingTests",
            ["Launching", "Catalog", "Systems", "Controllers", "ArchiveKit", "ArchiveSupport", "EvdevKit", "SystemKit"]),
        tests("ApplianceTests", ["Appliance", "ArchiveKit", "ArchiveSupport", "SQLiteKit", "SystemKit"]),
        tests("InterfaceTests", ["Interface"]),
        tests("StageTests", ["Stage", "SDLKit", "FontKit", "Interface", "SystemKit"]),
        tests(
            "MenuTests",
            [
                "Menu", "Interface", "Catalog", "Systems", "Controllers", "EvdevKit", "Launching", "Appliance",
                "SystemKit",
            ]),
        tests(
            "CommandsTests",
            [
                "Commands", "Launching", "Controllers", "EvdevKit", "Catalog", "Systems", "Appliance", "SystemKit",
                "retro-admin",
            ],
            resources: [.copy("Golden")]),
        tests("ArchitectureTests", ["SystemKit"]),
    ],
    swiftLanguageModes: [.v6]
)
