internal import Interface
internal import SDLKit
internal import SystemKit

/// Something to paint on: a window with SDL's video behind it, or memory.
final class Display {
    let renderer: Renderer
    let window: VideoWindow?
    let video: VideoSystem?
    /// Whether SDL sleeps by itself in this driver; others it would poll every millisecond.
    let sleepsInSDL: Bool
    /// Sleeps where SDL does not.
    lazy var console = ConsoleInputs()
    private(set) var size: (width: Int, height: Int)

    init(_ options: StageOptions) throws(StageError) {
        switch options.mode {
        case .headless(let width, let height):
            do throws(SDLError) {
                let width = max(1, min(16384, width))
                let height = max(1, min(16384, height))
                let surface = try Surface(width: width, height: height, hasAlpha: false)
                renderer = try Renderer(surface: surface)
                size = (width, height)
            } catch { throw .noRenderer(SDLFailure(error)) }
            window = nil
            video = nil
            sleepsInSDL = false
        case .windowed(let width, let height):
            (video, window) = try Display.open(
                title: options.title, .windowed(width: width, height: height), card: nil)
            (renderer, sleepsInSDL, size) = try Display.painter(video, window, vsync: options.vsync)
        case .fullscreen:
            let card = Card.best(Card.all())?.index
            (video, window) = try Display.open(title: options.title, .fullscreen, card: card)
            (renderer, sleepsInSDL, size) = try Display.painter(video, window, vsync: options.vsync)
        }
        video?.setCursorVisible(false)
    }

    /// Looks again how large the drawing area is.
    func refreshSize() {
        let now = renderer.outputSize
        if now.width > 0, now.height > 0 { size = now }
    }

    /// A point of the window in pixels.
    func pixel(x: Int, y: Int) -> Point {
        guard let units = window?.size, units.width > 0, units.height > 0 else { return Point(Double(x), Double(y)) }
        return Point(
            Double(x) * Double(size.width) / Double(units.width),
            Double(y) * Double(size.height) / Double(units.height))
    }

    private static func open(
        title: String, _ placement: VideoWindow.Placement, card: Int?
    ) throws(StageError) -> (VideoSystem, VideoWindow) {
        do throws(SDLError) {
            let video = try VideoSystem(cardIndex: card)
            return (video, try VideoWindow(video, title: title, placement: placement))
        } catch { throw .noDisplay(SDLFailure(error)) }
    }

    private static func painter(
        _ video: VideoSystem?, _ window: VideoWindow?, vsync: Bool
    ) throws(StageError) -> (Renderer, Bool, (width: Int, height: Int)) {
        guard let video, let window else { throw .nothingShown }
        // SDL's default on a bare console is desktop OpenGL, which draws garbage where only GLES is installed.
        let driver = video.driver == "KMSDRM" ? "opengles2" : nil
        let renderer: Renderer
        do {
            renderer = try Renderer(window: window, kind: .accelerated, vsync: vsync, driver: driver)
        } catch {
            do throws(SDLError) {
                renderer = try Renderer(window: window, kind: .software, vsync: vsync, driver: "software")
            } catch { throw .noRenderer(SDLFailure(error)) }
        }
        if video.driver == "KMSDRM", ScreenRight.isMissing() { throw .taken }
        return (renderer, video.driver == "x11" || video.driver == "wayland", renderer.outputSize)
    }
}

extension SDLFailure {
    init(_ error: SDLError) { self.init(call: error.call, message: error.message) }
}
