internal import SDLKit
internal import Synchronization
internal import SystemKit

/// A picture file as it is wanted on the screen.
struct PictureWish: Hashable, Sendable {
    let path: [UInt8]
    /// Pixels of the place.
    let width: Int
    let height: Int
    /// Whether it covers the place and is cut, or lies in it whole.
    let fills: Bool
    /// Of the corners, in pixels.
    let radius: Int
}

/// A picture at the size of the screen.
struct DecodedPicture: Sendable {
    let image: PixelImage
    let isOpaque: Bool

    /// Files above this many bytes are no pictures for a menu.
    static let largestFile = 48 << 20
    /// Pixels above which a picture is not decoded: 96 MiB while it happens.
    static let mostPixels = 24 << 20
    /// Console screens up to this side keep their square pixels when enlarged.
    private static let pixelArtSide = 400

    /// Reads and decodes a file; `nil` for everything that cannot be shown.
    init?(_ wish: PictureWish) {
        let path = BytePath(bytes: wish.path)
        // Opening a pipe would wait for its writer for ever.
        guard let status = try? fileStatus(path), status.kind == .regular, status.size > 0,
            status.size <= Int64(DecodedPicture.largestFile),
            let bytes = try? readFile(path, limit: DecodedPicture.largestFile), let header = PictureHeader(bytes),
            header.width * header.height <= DecodedPicture.mostPixels,
            let surface = try? Surface(decoding: bytes, type: header.type), surface.width > 0, surface.height > 0,
            let picture = DecodedPicture.place(surface, wish)
        else { return nil }
        self = picture
    }

    private init(image: PixelImage, isOpaque: Bool) {
        self.image = image
        self.isOpaque = isOpaque
    }

    private static func place(_ surface: Surface, _ wish: PictureWish) -> DecodedPicture? {
        let width = Double(surface.width)
        let height = Double(surface.height)
        var target = (width: wish.width, height: wish.height)
        var columns = 0..<surface.width
        var rows = 0..<surface.height
        if wish.fills {
            let scale = max(Double(wish.width) / width, Double(wish.height) / height)
            columns = middle(of: surface.width, Double(wish.width) / scale)
            rows = middle(of: surface.height, Double(wish.height) / scale)
        } else {
            let scale = min(Double(wish.width) / width, Double(wish.height) / height)
            target = (max(1, Int((width * scale).rounded())), max(1, Int((height * scale).rounded())))
        }
        let isPixelArt = max(surface.width, surface.height) <= pixelArtSide
        var resampler = Resampler(
            sourceColumns: columns, sourceRows: rows, width: target.width, height: target.height,
            keepsEdges: isPixelArt && target.width >= columns.count)
        // Strips keep the second copy of a large picture small.
        let strip = max(1, min(64, (1 << 20) / max(1, surface.width)))
        var row = rows.lowerBound
        while row < rows.upperBound {
            let end = min(rows.upperBound, row + strip)
            guard let part = try? surface.rows(row..<end) else { return nil }
            resampler.add(part, firstRow: row)
            row = end
        }
        var image = resampler.result
        Shapes.roundCorners(of: &image, radius: wish.radius)
        return DecodedPicture(image: image, isOpaque: resampler.isOpaque && wish.radius == 0)
    }

    private static func middle(of count: Int, _ part: Double) -> Range<Int> {
        let length = max(1, min(count, Int(part.rounded())))
        let start = (count - length) / 2
        return start..<(start + length)
    }
}

/// Decodes pictures on a thread of its own, the most wanted first.
final class PictureWorker: Sendable {
    private struct State {
        var wishes: [PictureWish] = []
        var current: PictureWish?
        var done: [(PictureWish, DecodedPicture?)] = []
        var isStopping = false
        var isStarted = false
    }

    private let state = Mutex(State())
    private let work: Wake
    private let nudge: @Sendable () -> Void

    init?(nudge: @escaping @Sendable () -> Void) {
        guard let work = try? Wake() else { return nil }
        self.work = work
        self.nudge = nudge
    }

    /// Replaces what is still to do: what left the screen meanwhile is not decoded any more.
    func want(_ wishes: [PictureWish]) {
        let starts = state.withLock { state in
            state.wishes = wishes.filter { wish in
                wish != state.current && !state.done.contains { $0.0 == wish }
            }
            defer { if !wishes.isEmpty { state.isStarted = true } }
            return !state.isStarted && !wishes.isEmpty
        }
        if starts { startThread(name: "pictures") { [self] in run() } }
        if !wishes.isEmpty { work.ring() }
    }

    /// Takes what was decoded since the last call.
    func take() -> [(PictureWish, DecodedPicture?)] {
        state.withLock { state in
            let done = state.done
            state.done = []
            return done
        }
    }

    /// Ends the thread after the picture it is at.
    func stop() {
        state.withLock { $0.isStopping = true }
        work.ring()
    }

    private func run() {
        while true {
            let next: (wish: PictureWish?, stop: Bool) = state.withLock { state in
                state.current = state.wishes.isEmpty ? nil : state.wishes.removeFirst()
                return (state.current, state.isStopping)
            }
            if next.stop { return }
            guard let wish = next.wish else {
                returnFreedMemory()
                work.wait()
                continue
            }
            let picture = DecodedPicture(wish)
            state.withLock { state in
                state.done.append((wish, picture))
                state.current = nil
            }
            nudge()
        }
    }
}
