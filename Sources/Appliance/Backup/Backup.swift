import SQLiteKit
public import SystemKit

/// A backup of a person's data that is about to be made. A value: nothing is written before `create`.
public struct Backup: Sendable {
    /// Where a backup goes.
    public enum Place: Sendable, Equatable {
        /// The usual folder, below the data.
        case usual
        /// A file, or a folder that is there.
        case path(BytePath)
        /// The stick that is plugged in, where there is just one.
        case stick
    }

    let machine: Machine
    let contents: BackupContents
    let header: BackupHeader
    let time: Double
    /// The file that will be written.
    public let target: BytePath
    /// The older backups that go when the new one was verified.
    public let removed: [BytePath]

    /// How many files it will hold.
    public var count: Int { contents.items.count }
    /// Bytes of them, before they are packed.
    public var bytes: Int64 { contents.bytes }

    /// What was made.
    public struct Made: Sendable {
        /// The backup, read back and compared.
        public let file: BackupFile
        /// The older ones that were removed.
        public let removed: [BytePath]
        /// What could not be taken into it: sentences.
        public let skipped: [String]
    }

    /// The folder for backups while no other is named.
    public static func usualFolder(_ places: DataPlaces) -> BytePath { places.root.appending("backups") }

    /// Plans a backup.
    ///
    /// - Parameters:
    ///   - kept: how many of this machine's backups stay in a folder, the new one among them.
    ///   - time: now, in seconds since 1970.
    /// - Throws: `ApplianceError` where it cannot be made there: no room, no such place, no stick.
    public init(
        on machine: Machine, to place: Place = .usual, withScreenshots: Bool = false, kept: Int = 5,
        time: Double = wallClockSeconds()
    ) throws(ApplianceError) {
        try self.init(
            on: machine, place: place, withScreenshots: withScreenshots, kept: kept, time: time, isAside: false)
    }

    init(
        on machine: Machine, place: Place, withScreenshots: Bool, kept: Int, time: Double, isAside: Bool,
        sparing spared: [BytePath] = []
    ) throws(ApplianceError) {
        self.machine = machine
        self.time = time
        contents = BackupContents(of: machine.data, withScreenshots: withScreenshots)
        let facts = MachineFacts.read(machine.files)
        let host = machine.files.text("etc/hostname") ?? machineHostName()
        header = BackupHeader(
            format: BackupHeader.format, version: Appliance.version, host: host, model: facts.model,
            time: utcText(secondsSince1970: time), screenshots: withScreenshots, schemas: [:])
        guard !contents.items.isEmpty else {
            throw .notFound("there is nothing to back up yet below \(machine.data.root)")
        }
        let path: BytePath
        switch place {
        case .usual: path = Backup.usualFolder(machine.data)
        case .stick: path = try Backup.stick(machine).point
        case .path(let given): path = given
        }
        let isFolder =
            place == .usual || path == Backup.usualFolder(machine.data)
            || (try? fileStatus(path))?.kind == .directory
        if isFolder {
            let versions = BackupVersions(path, aside: isAside)
            target = versions.next(host: host, time: header.time)
            let own = spared.compactMap { try? resolvedPath($0) }
            // What is there now may be half of another backup: then every whole one is needed.
            let isHalf = !isAside && Restore.isUnfinished(on: machine)
            removed =
                isHalf
                ? []
                : versions.surplus(host: host, kept: max(1, kept)).filter { path in
                    (try? resolvedPath(path)).map { !own.contains($0) } ?? true
                }
        } else {
            target = path
            removed = []
            try Backup.checkName(path)
        }
        try checkPlace()
    }

    private static func stick(_ machine: Machine) throws(ApplianceError) -> RemovableDrive {
        let drives = RemovableDrive.mounted(on: machine)
        guard let first = drives.first else {
            throw .notFound("no USB stick is mounted: plug one in, or name a folder")
        }
        guard drives.count == 1 else {
            let names = drives.map { $0.point.displayString }.joined(separator: ", ")
            throw .refused("several USB sticks are mounted (\(names)): name the folder of the one that is meant")
        }
        return first
    }

    /// A path that is no folder is the name of a new backup, or of an older one that is to be replaced. A folder that is
    /// missing, or a stick that is not mounted, must not become a file of that name, and no other file is lost.
    private static func checkName(_ path: BytePath) throws(ApplianceError) {
        if path.bytes.last == 0x2F { throw .cannotCreate("there is no folder \(path)") }
        let status: FileStatus?
        do throws(SystemError) {
            status = try fileStatus(path)
        } catch {
            guard error.isNotFound else { throw .cannotCreate(error.description) }
            status = nil
        }
        if let status, status.kind != .regular { throw .cannotCreate("\(path) is no file") }
        guard path.name.bytes.count > BackupVersions.suffix.utf8.count,
            path.name.bytes.suffix(BackupVersions.suffix.utf8.count).elementsEqual(BackupVersions.suffix.utf8)
        else {
            throw .cannotCreate(
                "\(path) is no folder, and no name of a backup, which ends in \(BackupVersions.suffix)")
        }
        guard status != nil else { return }
        guard (try? BackupFile.header(of: path)) != nil else {
            throw .cannotCreate("\(path) is there already and is no backup; choose another name")
        }
    }

    private func checkPlace() throws(ApplianceError) {
        var place = target.parent
        // The usual folder is made with the first backup.
        while !fileExists(place), place != "/", place != "." { place = place.parent }
        guard place == target.parent || target.parent == Backup.usualFolder(machine.data) else {
            throw .cannotCreate("there is no folder \(target.parent)")
        }
        let space = try system { () throws(SystemError) in try DiskSpace.read(place) }
        if space.isReadOnly { throw .cannotCreate("\(target.parent) is on a filesystem that can only be read") }
        // Packing makes it smaller, by how much nobody knows before.
        let needed = bytes + (1 << 20)
        guard space.freeBytes >= needed else {
            throw .cannotCreate(
                "the backup needs up to \(Backup.megabytes(needed)) MB, and \(target.parent) has "
                    + "\(Backup.megabytes(space.freeBytes)) MB free")
        }
        let kind = MountedFilesystems(.init(table: machine.path("proc/self/mountinfo"))).covering(place)?.kind
        if kind == "vfat" || kind == "msdos", needed >= 4 << 30 {
            throw .cannotCreate(
                "the backup may become \(Backup.megabytes(needed)) MB large, and FAT holds no file of more than "
                    + "4294 MB: use a stick with exFAT or ext4, or leave the screenshots out")
        }
    }

    private static func megabytes(_ bytes: Int64) -> Int64 { (bytes + 999_999) / 1_000_000 }

    /// Writes the backup, reads it back, and then removes the older ones that are too many.
    ///
    /// - Throws: `ApplianceError`; nothing is left of a backup that failed, and no older one was touched.
    public func create() throws(ApplianceError) -> Made {
        let folder = target.parent
        try system { () throws(SystemError) in try createDirectories(folder, permissions: 0o700) }
        let lock = try Backup.turn(machine)
        let made = try create(in: folder)
        _ = consume lock
        return made
    }

    /// The same for who has taken the turn already.
    func createInTurn() throws(ApplianceError) -> Made { try create(in: target.parent) }

    private func create(in folder: BytePath) throws(ApplianceError) -> Made {
        // Always of the same name: what a killed one left is the next one's.
        let partial = folder.appending(".\(BackupVersions.usual).partial")
        do throws(ApplianceError) {
            try system { () throws(SystemError) in try removeFile(partial) }
            let skipped = try write(partial)
            let checked = try BackupFile.verify(partial)
            try system { () throws(SystemError) in
                try renameFile(partial, to: target)
                try synchronizeDirectory(folder)
            }
            for old in removed where old != target { try? removeFile(old) }
            let file = BackupFile(
                path: target, header: checked.header, archiveBytes: checked.archiveBytes, files: checked.files,
                schemas: checked.schemas)
            return Made(
                file: file, removed: removed.filter { !fileExists($0) }, skipped: contents.skipped + skipped)
        } catch {
            try? removeFile(partial)
            throw error
        }
    }

    /// One at a time, and none while a restore is under way: it would hold half of each.
    static func turn(_ machine: Machine) throws(ApplianceError) -> LockFile? {
        do throws(SystemError) {
            return try LockFile(machine.data.state.appending("backup.lock"), waits: false)
        } catch {
            if error.isBusy { throw .busy("another backup is being made or restored now") }
            // Where nothing can be written but the backup, nobody makes another one either.
            return nil
        }
    }

    private func write(_ partial: BytePath) throws(ApplianceError) -> [String] {
        let room = try workRoom()
        var header = header
        var copies: [BytePath: BytePath] = [:]
        var faults: [String] = []
        for item in contents.items where item.isDatabase {
            let copy = room.path.appending(item.path.name)
            do throws(SQLiteError) {
                let connection = try copyDatabase(item.path, to: copy)
                header.schemas[item.path.name.displayString] = Int(try connection.integer("PRAGMA user_version") ?? 0)
                let found = try connection.quickCheck(limit: 1)
                if !found.isEmpty { faults.append("\(item.path) is damaged; it is in the backup as it is") }
            } catch {
                guard !error.isFull else { throw .cannotCreate("no room is left for a copy of \(item.path)") }
                faults.append("\(item.path) cannot be read by SQLite (\(error.message)); its bytes are in the backup")
                continue
            }
            copies[item.name] = copy
        }
        let writing = try BackupWriting(partial, time: time)
        try writing.write(header, contents.items, databases: copies, to: target)
        return faults + writing.skipped
    }

    private func workRoom() throws(ApplianceError) -> TemporaryDirectory {
        if let room = try? TemporaryDirectory(below: machine.data.state, prefix: ".backup") { return room }
        return try system { () throws(SystemError) in try TemporaryDirectory.anywhere(prefix: "retro-backup") }
    }

    /// Copies a database as it is at one instant, whoever writes to it.
    private func copyDatabase(_ path: BytePath, to copy: BytePath) throws(SQLiteError) -> Connection {
        do throws(SQLiteError) {
            try Connection(path, access: .readOnly, busySeconds: 20).backUp(to: copy)
        } catch {
            // In a folder that cannot be written SQLite cannot open a database with a log: nobody else can either.
            guard error.cannotOpen || error.isReadOnly || error.isSharedMemory else { throw error }
            for suffix in ["", "-wal"] {
                let source = BytePath(bytes: path.bytes + Array(suffix.utf8))
                let target = BytePath(bytes: copy.bytes + Array(suffix.utf8))
                try? removeFile(target)
                try? copyFile(source, to: target)
            }
            let connection = try Connection(copy, access: .readWrite)
            try connection.execute("PRAGMA journal_mode = DELETE")
            return connection
        }
        return try Connection(copy, access: .readOnly)
    }
}
