import SystemKit

/// Names that are no games whatever folder they are in.
enum NameRules {
    /// Dot files (also `._*` of Macs and `.name.aB3dE9` of rsync) and the `~$*` of office programs; titles may begin
    /// with the wave alone.
    @inline(__always)
    static func isPrivate(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name[0] == 0x2E || name[0] == 0x7E && name.count > 1 && name[1] == 0x24
    }

    /// Folders that other programs make.
    static func isJunkFolder(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        isPrivate(name) || contains(junkFolders, name)
    }

    /// Folders of pictures, videos and the like that other front ends keep directly below a system's folder.
    ///
    /// `images` may well hold images of disks: it is left out only where pictures would be taken for games.
    static func isMediaFolder(_ name: UnsafeBufferPointer<UInt8>, takesPictures: Bool) -> Bool {
        contains(mediaFolders, name) || takesPictures && contains(pictureFolders, name)
    }

    /// A file that says how a folder is to be read.
    enum Marker {
        /// `noload.txt`: not at all.
        case skip
        /// `flatten.txt`: as one list.
        case flatten
    }

    @inline(__always)
    static func marker(_ name: UnsafeBufferPointer<UInt8>) -> Marker? {
        guard name.count == 10 || name.count == 11, name[name.count - 4] == 0x2E else { return nil }
        if name.count == 10, matches(name, at: 0, "noload.txt") { return .skip }
        return name.count == 11 && matches(name, at: 0, "flatten.txt") ? .flatten : nil
    }

    /// Saves, states and unfinished uploads, also where a system's extensions would let them in.
    static func isJunkFile(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let dot = name.lastIndex(of: 0x2E) else { return false }
        let suffix = UnsafeBufferPointer(rebasing: name[(dot + 1)...])
        if contains(junkExtensions, suffix) || contains(junkFiles, name) { return true }
        // x.state, x.state1, x.state.auto, x.state2.png
        var index = 1
        while index + 6 <= name.count {
            if name[index] == 0x2E, matches(name, at: index + 1, "state") {
                var end = index + 6
                while end < name.count, name[end] >= 0x30, name[end] <= 0x39 { end += 1 }
                if end == name.count || name[end] == 0x2E { return true }
            }
            index += 1
        }
        return false
    }

    /// Whether files with this extension can be junk at all; most systems need not ask for each file.
    static func mayBeJunk(extension text: [UInt8]) -> Bool {
        junkExtensions.contains(text) || text.starts(with: Array("state".utf8))
            || ["db", "ini", "inf", "xml", "png", "txt"].contains { Array($0.utf8) == text }
    }

    /// Sets that arcade emulators need beside the games and that are no games.
    static func isArcadeSupport(_ stem: UnsafeBufferPointer<UInt8>) -> Bool { contains(arcadeSupport, stem) }

    /// What kind of sheet a name is, by its extension.
    static func sheet(_ name: UnsafeBufferPointer<UInt8>) -> SheetKind? {
        guard name.count > 4, name[name.count - 4] == 0x2E else { return nil }
        let start = name.count - 3
        return SheetKind.allCases.first { matches(name, at: start, $0.suffix) }
    }

    private static func matches(_ name: UnsafeBufferPointer<UInt8>, at start: Int, _ text: StaticString) -> Bool {
        guard start + text.utf8CodeUnitCount <= name.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount
        where asciiLowercased(name[start + offset]) != text.utf8Start[offset] { return false }
        return true
    }

    private static func contains(_ set: Set<[UInt8]>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.count <= 32 && set.contains(name.map(asciiLowercased))
    }

    private static func set(_ text: String) -> Set<[UInt8]> { Set(text.split(separator: " ").map { Array($0.utf8) }) }

    private static let junkFolders = set("@eadir __macosx $recycle.bin lost+found #recycle @recycle @recently-snapshot")
        .union([Array("system volume information".utf8)])
    private static let mediaFolders = set(
        """
        media videos manuals downloaded_media downloaded_images downloaded_videos downloaded_manuals downloaded_artwork
        """)
    private static let pictureFolders = set(
        "images image snap snaps screenshots covers boxart box2d box3d wheel wheels marquee marquees titles")
    private static let junkFiles = set(
        """
        thumbs.db ehthumbs.db desktop.ini autorun.inf gamelist.xml noload.txt flatten.txt systeminfo.txt _info.txt \
        readme.txt
        """)
    private static let junkExtensions = set(
        """
        part partial filepart crdownload download opdownload tmp temp swp aria2 !qb !ut \
        srm sav sra eep fla mpk rtc dsv ldci nvr hi auto oops bsv
        """)
    private static let arcadeSupport = set(
        """
        neogeo neocdz pgm skns nmk004 ym2608 isgsm acpsx airlbios alg_bios aleck64 alg3do ar_bios atarisy1 atpsx awbios \
        bctvidbs bubsys cchip chihiro coh1000a coh1000c coh1000t coh1000w coh1001l coh1002e coh1002m coh1002v coh3002c \
        coh3002t cpzn1 cpzn2 crysbios cvs decocass f355bios f355dlx gp_110 gq863 hikaru hng64 hod2bios iteagle konamigv \
        konamigx konamim2 ksys573 lindbios macsmtbios maxaflex megaplay megatech mie midssio msx_bios naomi naomi2 \
        naomigd nss playch10 psarc95 qsound qsound_hle sammymdl segasp shtzone stvbios sys246 sys256 sys573 taitofx1 \
        taitogn taitotz tourvis tps triforce vspsx
        """)
}

/// A file that names the files which belong to it.
package enum SheetKind: CaseIterable {
    case cue
    case gdi
    case ccd
    case mds
    case m3u

    var suffix: StaticString {
        switch self {
        case .cue: "cue"
        case .gdi: "gdi"
        case .ccd: "ccd"
        case .mds: "mds"
        case .m3u: "m3u"
        }
    }
}
