import FoundationEssentials
import SystemKit

// One file from a stick to this machine.
extension StickCopy {
    /// Bytes that are read at once.
    private static let chunkBytes = 1 << 20
    /// Bytes after which a large file is made durable, so that it can be continued there.
    private static let flushBytes: Int64 = 32 << 20
    /// Files from this size on are continued; smaller ones are begun again.
    private static let largeBytes: Int64 = 8 << 20
    /// How much of a half file is compared at its beginning and at its end.
    private static let probeBytes: Int64 = 256 << 10

    /// Copies a file under another name, makes it durable, and gives it its name.
    func transfer(_ item: StickPlan.Item) throws(CopyFault) {
        let top = try openStick()
        let source = try CopyFault.stick { () throws(SystemError) in try top.file(item.file.source) }
        let temporary = item.target.parent.appending(leftovers.name(of: item.file))
        do throws(CopyFault) {
            try fill(temporary, from: source, item)
            try finish(temporary, source, item)
            journal.current = nil
        } catch {
            if !keepsHalf(error, source.status.size) {
                journal.current = nil
                try? removeFile(temporary)
            }
            throw error
        }
    }

    /// Whether a half file is worth to be continued.
    private func keepsHalf(_ fault: CopyFault, _ size: Int64) -> Bool {
        switch fault {
        case .halt(.stopped), .stick: size >= StickCopy.largeBytes && journal.current != nil
        case .halt, .here, .changed: false
        }
    }

    private func fill(
        _ temporary: BytePath, from source: borrowing StrangerFile, _ item: StickPlan.Item
    ) throws(CopyFault) {
        let file = try CopyFault.here { () throws(SystemError) in try GrowingFile(temporary) }
        let size = source.status.size
        var offset = try start(of: file, source, item)
        try CopyFault.here { () throws(SystemError) in try file.cut(to: offset) }
        count(Int(offset))
        if size >= StickCopy.largeBytes {
            journal.current = StickJournal.Current(
                source: Data(item.file.source.bytes), temporary: Data(temporary.bytes), size: size,
                modifiedNanoseconds: source.status.modifiedNanoseconds, durable: offset)
            do throws(Halt) { try write(force: true) } catch { throw .halt(error) }
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: StickCopy.chunkBytes, alignment: 4096)
        defer { buffer.deallocate() }
        var flushed = offset
        while offset < size {
            do throws(Halt) { try pauseWithin() } catch {
                try settle(file, offset)
                throw .halt(error)
            }
            let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(size - offset))])
            let length: Int
            do throws(SystemError) { length = try source.read(into: wanted, at: offset) } catch {
                try settle(file, offset)
                throw .stick(error)
            }
            if length < wanted.count { throw .changed }
            try CopyFault.here { () throws(SystemError) in try file.write(UnsafeRawBufferPointer(wanted), at: offset) }
            offset += Int64(length)
            count(length)
            if offset - flushed >= StickCopy.flushBytes {
                try settle(file, offset)
                flushed = offset
            }
        }
    }

    /// Makes what is here of a large file durable, and notes that.
    private func settle(_ file: borrowing GrowingFile, _ offset: Int64) throws(CopyFault) {
        guard journal.current != nil else { return }
        try CopyFault.here { () throws(SystemError) in try file.flush() }
        journal.current?.durable = offset
    }

    /// Where to go on in a half file: behind what is surely here, where its beginning and its end are as the stick's.
    private func start(
        of file: borrowing GrowingFile, _ source: borrowing StrangerFile, _ item: StickPlan.Item
    ) throws(CopyFault) -> Int64 {
        guard let known = journal.current, Array(known.source) == item.file.source.bytes,
            Array(known.temporary) == file.path.bytes, known.size == source.status.size,
            known.modifiedNanoseconds == source.status.modifiedNanoseconds
        else { return 0 }
        let durable = min(known.durable, file.size, known.size)
        let probe = min(StickCopy.probeBytes, durable)
        guard durable > 0, try agree(file, source, at: 0, count: probe),
            try agree(file, source, at: durable - probe, count: probe)
        else { return 0 }
        return durable
    }

    private func agree(
        _ file: borrowing GrowingFile, _ source: borrowing StrangerFile, at offset: Int64, count: Int64
    ) throws(CopyFault) -> Bool {
        let buffers = (0..<2).map { _ in
            UnsafeMutableRawBufferPointer.allocate(byteCount: Int(count), alignment: 16)
        }
        defer { for buffer in buffers { buffer.deallocate() } }
        let theirs: Int
        let ours: Int
        do throws(SystemError) { theirs = try source.read(into: buffers[0], at: offset) } catch { throw .stick(error) }
        do throws(SystemError) { ours = try file.read(into: buffers[1], at: offset) } catch { throw .here(error) }
        return theirs == ours && buffers[0].elementsEqual(buffers[1])
    }

    private func finish(
        _ temporary: BytePath, _ source: borrowing StrangerFile, _ item: StickPlan.Item
    ) throws(CopyFault) {
        let now: FileStatus
        do throws(SystemError) { now = try source.statusNow() } catch { throw .stick(error) }
        guard now.size == source.status.size, now.modifiedNanoseconds == source.status.modifiedNanoseconds else {
            throw .changed
        }
        try CopyFault.here { () throws(SystemError) in
            let file = try GrowingFile(temporary)
            try file.finish(as: item.target, permissions: 0o664, modifiedNanoseconds: now.modifiedNanoseconds)
        }
    }

    /// Whether both files have the same contents.
    func isSame(_ item: StickPlan.Item, onChunk: () throws(Halt) -> Void) throws(CopyFault) -> Bool {
        let top = try openStick()
        let source = try CopyFault.stick { () throws(SystemError) in try top.file(item.file.source) }
        let ours: InputFile
        do throws(SystemError) { ours = try InputFile(item.target) } catch { throw .here(error) }
        guard ours.status.size == source.status.size else { return false }
        let buffers = (0..<2).map { _ in
            UnsafeMutableRawBufferPointer.allocate(byteCount: StickCopy.chunkBytes, alignment: 16)
        }
        defer { for buffer in buffers { buffer.deallocate() } }
        var offset: Int64 = 0
        while true {
            do throws(Halt) { try onChunk() } catch { throw .halt(error) }
            let theirs: Int
            do throws(SystemError) { theirs = try source.read(into: buffers[0], at: offset) } catch {
                throw .stick(error)
            }
            let mine: Int
            do throws(SystemError) { mine = try ours.fill(buffers[1]) } catch { throw .here(error) }
            guard theirs == mine, buffers[0].prefix(theirs).elementsEqual(buffers[1].prefix(mine)) else { return false }
            if theirs < StickCopy.chunkBytes { return true }
            offset += Int64(theirs)
        }
    }
}

extension InputFile {
    /// Reads until a buffer is full or the file ends.
    fileprivate borrowing func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        }
        return filled
    }
}
