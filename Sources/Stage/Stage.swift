public import Interface
internal import SDLKit
public import SystemKit

/// The screen: shows draw lists, tells text sizes, and reports what a person does. For the main thread only.
public final class Stage {
    /// Rings from any thread to end `waitEvents`.
    public let wake: StageWaker
    let options: StageOptions
    let log: Log
    let book: FontBook
    let texts: TextStore
    let pictures: PictureStore
    var display: Display?
    var cursor = CursorState()
    private var painter: Painter?
    private var shown = DrawList()
    private var hasShown = false
    private var frames = 0
    private var owesMemory = false
    private var lastSize = Size(0, 0)

    /// Opens the display.
    ///
    /// - Throws: `StageError` when there is none, or nothing can paint on it.
    public init(_ options: StageOptions, log: Log) throws(StageError) {
        self.options = options
        self.log = log
        do throws(SystemError) { wake = try StageWaker() } catch { throw .system(error) }
        do throws(SDLError) { book = try FontBook() } catch { throw .noText(SDLFailure(error)) }
        texts = TextStore(book: book, budget: options.textBudget)
        pictures = PictureStore(
            icons: options.icons, budget: options.pictureBudget, log: log, nudge: { [wake] in wake.nudge() })
        try open()
    }

    deinit { giveUpDisplay() }

    /// Pixels of the drawing area; while the display is given up, those it had.
    public var size: Size { lastSize }

    /// Tells text sizes; valid as long as the stage.
    public var measurer: any TextMeasuring { texts }

    /// Whether there is a display now.
    public var isOpen: Bool { display != nil }

    /// Whether a picture that belongs on the screen is still being decoded.
    public var isDecoding: Bool { pictures.isDecoding }

    /// Releases textures, window and all of SDL's video, so that another program can have the screen.
    public func giveUpDisplay() {
        guard display != nil else { return }
        // From here on nobody may push into SDL's queue: it ends with the video system.
        wake.setHasQueue(false)
        painter = nil
        texts.releaseTextures()
        pictures.releaseTextures()
        display = nil
        owesMemory = true
    }

    /// Gives the memory of the display back to the system, once it was given up: the game has more use for it. Done
    /// before the next sleep, because the game is started first.
    func returnOwedMemory() {
        guard owesMemory else { return }
        owesMemory = false
        returnFreedMemory()
    }

    /// Opens the display again; tries for three seconds, because the program before may still be leaving.
    ///
    /// - Throws: `StageError` of the last try. The stage is then still without display, and this can be called again.
    public func takeBackDisplay() throws(StageError) {
        guard display == nil else { return }
        let end = MonotonicInstant.now.advanced(bySeconds: 3)
        while true {
            do {
                try open()
                return
            } catch {
                if MonotonicInstant.now >= end { throw error }
                log.write(.info, "the screen is not free yet: \(error)")
                _ = waitReadable([], seconds: 0.1)
            }
        }
    }

    /// Shows a draw list. Does nothing while the display is given up.
    public func present(_ list: DrawList) {
        shown = list
        hasShown = true
        guard let display, let painter else { return }
        texts.beginFrame()
        pictures.beginFrame()
        painter.paint(list)
        display.renderer.present()
        pictures.endFrame()
        frames += 1
    }

    /// Writes the draw list shown last as a PNG file.
    ///
    /// - Throws: `StageError` when nothing was shown, or the file cannot be written.
    public func screenshot(to path: BytePath) throws(StageError) {
        guard let display, let painter, hasShown else { throw .nothingShown }
        // What a window shows cannot be read back after it was presented.
        painter.paint(shown)
        let bytes: [UInt8]
        do throws(SDLError) {
            bytes = try display.renderer.readPixels().pngBytes()
        } catch { throw .screenshot(SDLFailure(error)) }
        do throws(SystemError) { try replaceFile(at: path, with: bytes) } catch { throw .system(error) }
    }

    /// Forgets what a picture file looked like, because it was replaced.
    public func forgetPicture(_ path: [UInt8]) { pictures.forget(path) }

    /// What the stage holds at the moment.
    public var statistics: StageStatistics {
        var result = StageStatistics()
        result.frames = frames
        (result.texts, result.textBytes) = texts.usage
        (result.pictures, result.pictureBytes) = pictures.usage
        if let painter { (result.shapes, result.shapeBytes) = painter.shapes.usage }
        result.fonts = book.openFonts
        if let display { result.drivers = "\(display.video?.driver ?? "-") \(display.renderer.name)" }
        return result
    }

    /// Notices a new size of the drawing area.
    ///
    /// - Returns: the size, when it is another one.
    func updateSize() -> Size? {
        guard let display else { return nil }
        display.refreshSize()
        let now = Size(Double(display.size.width), Double(display.size.height))
        guard now != lastSize else { return nil }
        lastSize = now
        return now
    }

    /// Makes all textures anew; the graphics chip lost them.
    func renewTextures() {
        guard let display else { return }
        texts.releaseTextures()
        pictures.releaseTextures()
        painter = makePainter(display)
    }

    private func open() throws(StageError) {
        let display = try Display(options)
        self.display = display
        painter = makePainter(display)
        cursor = CursorState()
        lastSize = Size(Double(display.size.width), Double(display.size.height))
        wake.setHasQueue(display.video != nil)
    }

    private func makePainter(_ display: Display) -> Painter {
        Painter(display: display, texts: texts, pictures: pictures)
    }
}
