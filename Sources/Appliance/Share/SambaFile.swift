import SystemKit

/// `smb.conf`, which is the person's: one line of ours in it, and not a byte of theirs is changed.
struct SambaFile {
    static let mark = "# Added by 'retro-admin share on'; 'retro-admin share off' takes it out again."

    let machine: Machine

    /// The person's file.
    var path: BytePath { machine.path("etc/samba/smb.conf") }
    /// Ours.
    var ownPath: BytePath { machine.path("etc/samba/retro.conf") }

    /// - Throws: `ApplianceError.system` where it is there and cannot be read.
    func contents() throws(ApplianceError) -> [UInt8] {
        do throws(SystemError) { return try readRegularFile(path, limit: 4 << 20) } catch {
            if error.isNotFound { return [] }
            throw .system(error)
        }
    }

    private var line: [UInt8] { Array("include = ".utf8) + ownPath.bytes }

    /// Whether a line of the file includes ours.
    private func isOurs(_ line: some Collection<UInt8>) -> Bool {
        let text = trimmingSpaces(String(decoding: line, as: UTF8.self))
        guard let equals = text.firstIndex(of: "=") else { return false }
        return trimmingSpaces(text[..<equals]).lowercased() == "include"
            && trimmingSpaces(text[text.index(after: equals)...]) == ownPath.validUTF8
    }

    /// Whether the file includes ours.
    func isIncluded(_ contents: [UInt8]) -> Bool { contents.split(separator: 0x0A).contains(where: isOurs) }

    private static let heading = "[global]"

    /// What is added to the file. nmbd reads global sections only, and passes over an `include` of any other: without the
    /// heading it would know neither our second name nor that it is wanted.
    private var markedLine: [UInt8] {
        var text: [UInt8] = [0x0A]
        text += SambaFile.mark.utf8
        text.append(0x0A)
        text += SambaFile.heading.utf8
        text.append(0x0A)
        text += line
        text.append(0x0A)
        return text
    }

    /// The file with our line as its last, so that what ours says wins.
    func including(_ contents: [UInt8]) -> [UInt8] {
        if isIncluded(contents) { return contents }
        var result = contents
        if let last = result.last, last != 0x0A { result.append(0x0A) }
        // The empty line also ends a line of theirs that goes on with a backslash.
        return result + markedLine
    }

    /// The file without our line, byte for byte as it was.
    func excluding(_ contents: [UInt8]) -> [UInt8] {
        guard isIncluded(contents) else { return contents }
        let whole = markedLine
        if contents.suffix(whole.count).elementsEqual(whole) { return Array(contents.dropLast(whole.count)) }
        var lines: [ArraySlice<UInt8>] = []
        var isBehindMark = false
        for line in contents.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let isMark = line.elementsEqual(SambaFile.mark.utf8)
            let isHeading = isBehindMark && line.elementsEqual(SambaFile.heading.utf8)
            isBehindMark = isMark
            if !isMark, !isHeading, !isOurs(line) { lines.append(line) }
        }
        return Array(lines.joined(separator: [0x0A]))
    }

    /// The person's own sections.
    func ownSections() throws(ApplianceError) -> SambaConfiguration {
        SambaConfiguration.parse(excluding(try contents()), at: path) ?? SambaConfiguration()
    }

    /// Asks Samba itself whether it understands the person's file with ours behind it.
    ///
    /// - Throws: `ApplianceError.refused` with Samba's words.
    func test(_ ours: String) throws(ApplianceError) {
        let candidate = path.parent.appending(".retro-check.conf")
        let text = excluding(try contents()) + [0x0A, 0x0A] + Array(ours.utf8)
        try system { () throws(SystemError) in try replaceFile(at: candidate, with: text, permissions: 0o600) }
        defer { try? removeFile(candidate) }
        let result = try testparm(candidate)
        guard result.succeeded else { throw .refused("Samba does not accept the configuration: \(result.complaint)") }
    }

    /// What Samba understands of the files as they are now.
    func understood() throws(ApplianceError) -> SambaConfiguration {
        let result = try testparm(path)
        guard result.succeeded else { throw .refused("Samba does not accept smb.conf: \(result.complaint)") }
        return SambaConfiguration.parse(result.output, at: path) ?? SambaConfiguration()
    }

    private func testparm(_ file: BytePath) throws(ApplianceError) -> ProgramResult {
        try machine.programs.run("testparm", ["-s", file], package: "samba-common-bin", seconds: 30)
    }
}
