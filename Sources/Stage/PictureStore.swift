internal import Interface
internal import SDLKit
internal import SystemKit

/// Textures of the person's pictures and of the program's drawings, within a budget.
final class PictureStore {
    private struct IconKey: Hashable {
        let name: String
        let width: Int
        let height: Int
    }

    /// Seconds that a picture keeps a new size before it is decoded for it: not in the middle of a motion.
    private static let settling = 0.15
    /// Seconds after which a file that was no picture is tried again.
    private static let retry = 30.0

    private let icons: @Sendable (String) -> [UInt8]?
    private let log: Log
    private let worker: PictureWorker?
    private var pictures: BudgetCache<PictureWish, Texture>
    private var drawings = BudgetCache<IconKey, Texture?>(budget: 8 << 20)
    private var sizes: [[UInt8]: Set<PictureWish>] = [:]
    private var failures: [[UInt8]: MonotonicInstant] = [:]
    private var decoded: [(PictureWish, DecodedPicture)] = []
    private var wanted: [PictureWish] = []
    private var wantedLater: [PictureWish] = []
    private(set) var settlesAt: MonotonicInstant?

    init(
        icons: @escaping @Sendable (String) -> [UInt8]?, budget: Int, log: Log, nudge: @escaping @Sendable () -> Void
    ) {
        self.icons = icons
        self.log = log
        pictures = BudgetCache(budget: budget)
        worker = PictureWorker(nudge: nudge)
    }

    deinit { worker?.stop() }

    var usage: (count: Int, bytes: Int) {
        (pictures.count + drawings.count, pictures.bytes + drawings.bytes)
    }

    func releaseTextures() {
        pictures.removeAll()
        drawings.removeAll()
        sizes.removeAll()
        decoded.removeAll()
        wantedLater.removeAll()
        settlesAt = nil
        worker?.want([])
    }

    func forget(_ path: [UInt8]) {
        failures[path] = nil
        for wish in sizes.removeValue(forKey: path) ?? [] { pictures.remove(wish) }
    }

    func beginFrame() {
        pictures.beginFrame()
        drawings.beginFrame()
        wanted.removeAll()
        wantedLater.removeAll()
    }

    func endFrame() {
        worker?.want(wanted)
        settlesAt = wantedLater.isEmpty ? nil : .now.advanced(bySeconds: PictureStore.settling)
    }

    /// Whether a picture of the last frame is still being decoded.
    var isDecoding: Bool {
        (wanted + wantedLater).contains { failures[$0.path] == nil }
    }

    /// Asks for sizes that have stayed since the last frame.
    func settle(_ now: MonotonicInstant) {
        guard let time = settlesAt, time <= now else { return }
        settlesAt = nil
        worker?.want(wanted + wantedLater)
    }

    /// Takes what the worker finished.
    ///
    /// - Returns: whether a picture came.
    func collect() -> Bool {
        var came = false
        for (wish, picture) in worker?.take() ?? [] {
            if let picture {
                decoded.append((wish, picture))
                came = true
            } else {
                if failures.count > 10_000 { failures.removeAll() }
                failures[wish.path] = .now
                log.write(.debug, "no picture: \(BytePath(bytes: wish.path).displayString)")
            }
        }
        return came
    }

    /// The texture for a wish, or the same picture at another size until it is there.
    func picture(_ wish: PictureWish, renderer: Renderer) -> Texture? {
        upload(renderer)
        if let texture = pictures.value(wish) { return texture }
        if let failed = failures[wish.path] {
            if MonotonicInstant.now.seconds(since: failed) < PictureStore.retry { return nil }
            failures[wish.path] = nil
        }
        let others = sizes[wish.path]?.filter { $0.fills == wish.fills } ?? []
        let nearest = others.min { abs($0.width - wish.width) < abs($1.width - wish.width) }
        if let nearest, let texture = pictures.value(nearest) {
            wantedLater.append(wish)
            return texture
        }
        wanted.append(wish)
        return nil
    }

    /// A drawing in white at exactly a size.
    func icon(_ name: String, width: Int, height: Int, renderer: Renderer) -> Texture? {
        let key = IconKey(name: name, width: width, height: height)
        if let known = drawings.value(key) { return known }
        let texture = draw(key, renderer: renderer)
        drawings.insert(texture, bytes: (texture?.byteCount ?? 0) + 64, for: key)
        return texture
    }

    private func upload(_ renderer: Renderer) {
        guard !decoded.isEmpty else { return }
        for (wish, picture) in decoded {
            var made = try? Texture(renderer, picture.image, isOpaque: picture.isOpaque)
            if made == nil {
                // The graphics chip is full: what is not on the screen goes.
                pictures.dropUnused()
                made = try? Texture(renderer, picture.image, isOpaque: picture.isOpaque)
            }
            guard let texture = made else {
                log.write(.warning, "no room for \(BytePath(bytes: wish.path).displayString)")
                failures[wish.path] = .now
                continue
            }
            pictures.insert(texture, bytes: texture.byteCount, for: wish)
            sizes[wish.path, default: []].insert(wish)
        }
        decoded.removeAll()
        // Evicted ones leave the index too.
        if sizes.count > pictures.count * 2 + 64 {
            sizes = [:]
            for wish in pictures.keys { sizes[wish.path, default: []].insert(wish) }
        }
    }

    private func draw(_ key: IconKey, renderer: Renderer) -> Texture? {
        guard key.width > 0, key.height > 0 else { return nil }
        guard let bytes = icons(key.name) else {
            log.write(.warning, "there is no icon \(key.name)")
            return nil
        }
        do {
            var image = try Surface(svg: bytes, width: key.width, height: key.height).image()
            // The tint is the colour: only the shape counts.
            for index in image.pixels.indices { image.pixels[index] |= 0x00FF_FFFF }
            return try Texture(renderer, image)
        } catch {
            log.write(.warning, "icon \(key.name): \(error)")
            return nil
        }
    }
}
