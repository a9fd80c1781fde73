internal import Interface
internal import SDLKit

/// Turns draw commands into calls of the renderer. Everything is snapped to whole pixels.
final class Painter {
    let shapes: Shapes
    let renderer: Renderer
    private let display: Display
    private let texts: TextStore
    private let pictures: PictureStore
    private var clips: [PixelRect] = []
    private(set) var clip = PixelRect(0, 0, 0, 0)

    init(display: Display, texts: TextStore, pictures: PictureStore) {
        self.display = display
        self.texts = texts
        self.pictures = pictures
        renderer = display.renderer
        shapes = Shapes(renderer: display.renderer)
    }

    /// Paints a whole frame, without showing it.
    func paint(_ list: DrawList) {
        shapes.beginFrame()
        clips.removeAll(keepingCapacity: true)
        clip = PixelRect(0, 0, display.size.width, display.size.height)
        renderer.setClip(nil)
        renderer.clear(PixelColor(red: 0, green: 0, blue: 0))
        for command in list.commands { paint(command) }
    }

    private func paint(_ command: DrawCommand) {
        switch command {
        case .fill(let rect, let color, let radius): fill(PixelRect(rect), PixelColor(color), radius: radius)
        case .gradient(let rect, let from, let to, let vertical, let radius):
            gradient(PixelRect(rect), from: from, to: to, vertical: vertical, radius: radius)
        case .stroke(let rect, let color, let radius, let width):
            stroke(PixelRect(rect), PixelColor(color), radius: radius, width: width)
        case .shadow(let rect, let color, let radius, let blur):
            shadow(PixelRect(rect), PixelColor(color), radius: radius, blur: blur)
        case .glow(let center, let radius, let color): glow(center, radius: radius, color)
        case .ring(let center, let radius, let width, let fraction, let color):
            ring(center, radius: radius, width: width, fraction: fraction, PixelColor(color))
        case .text(let text, let point, let style, let color): self.text(text, point, style, PixelColor(color))
        case .image(let source, let rect, let fit, let radius, let tint):
            image(source, PixelRect(rect), fit, radius: radius, PixelColor(tint))
        case .pushClip(let rect):
            clips.append(clip)
            setClip(clip.intersection(PixelRect(rect)))
        case .popClip: if let outer = clips.popLast() { setClip(outer) }
        }
    }

    private func setClip(_ rect: PixelRect) {
        clip = rect
        // An empty limit would mean no limit to some drivers; nothing is painted then anyway.
        renderer.setClip(rect.isEmpty ? PixelRect(0, 0, 1, 1) : rect)
    }

    /// Whether painting there changes a pixel.
    func shows(_ rect: PixelRect) -> Bool { !clip.isEmpty && !rect.intersection(clip).isEmpty }

    /// A plain rectangle, cut to the clip.
    func block(_ rect: PixelRect, _ color: PixelColor) { renderer.fill(rect.intersection(clip), color) }

    /// A part of a texture, unless the clip hides it.
    func copy(_ texture: Texture, from source: PixelRect, to target: PixelRect, _ tint: PixelColor) {
        if shows(target) { renderer.copy(texture, from: source, to: target, tint: tint) }
    }

    private func text(_ text: String, _ point: Point, _ style: TextStyle, _ color: PixelColor) {
        guard color.alpha > 0, !clip.isEmpty, point.x.isFinite, point.y.isFinite else { return }
        let origin = PixelRect(Rect(point.x, point.y, 0, 0))
        // The height is known without drawing, and lists have many rows outside the clip.
        let line = PixelRect(clip.x, origin.y, clip.width, FontBook.lineHeight(style))
        guard shows(line), origin.x < clip.x + clip.width,
            let texture = texts.texture(text, style: style, renderer: renderer)
        else { return }
        copy(texture, from: texture.bounds, to: PixelRect(origin.x, origin.y, texture.width, texture.height), color)
    }

    private func image(_ source: ImageSource, _ place: PixelRect, _ fit: ImageFit, radius: Double, _ tint: PixelColor) {
        guard shows(place), tint.alpha > 0, place.width <= 8192, place.height <= 8192 else { return }
        let texture: Texture?
        switch source {
        case .icon(let name):
            texture = pictures.icon(name, width: place.width, height: place.height, renderer: renderer)
        case .file(let path):
            let wish = PictureWish(
                path: path, width: place.width, height: place.height, fills: fit == .fill,
                radius: Int(max(0, min(4096, radius.rounded()))))
            texture = pictures.picture(wish, renderer: renderer)
        }
        guard let texture else { return }
        var target = place
        if source.isIcon || fit == .fit {
            let size = Size(Double(texture.width), Double(texture.height))
            // Icons and exact pictures are used pixel for pixel; one of another size is scaled to the place.
            let isExact =
                texture.width <= place.width && texture.height <= place.height
                && (texture.width == place.width || texture.height == place.height)
            target =
                isExact
                ? PixelRect(
                    place.x + (place.width - texture.width) / 2, place.y + (place.height - texture.height) / 2,
                    texture.width, texture.height)
                : PixelRect(place.rect.fitting(size))
        }
        copy(texture, from: texture.bounds, to: target, tint)
    }
}

extension ImageSource {
    fileprivate var isIcon: Bool { if case .icon = self { true } else { false } }
}

extension PixelRect {
    /// The whole pixels nearest to a rectangle; edges that meet stay together.
    init(_ rect: Rect) {
        func whole(_ value: Double) -> Int { value.isFinite ? Int(max(-1e6, min(1e6, value.rounded()))) : 0 }
        let x = whole(rect.minX)
        let y = whole(rect.minY)
        self.init(x, y, max(0, whole(rect.maxX) - x), max(0, whole(rect.maxY) - y))
    }

    var rect: Rect { Rect(Double(x), Double(y), Double(width), Double(height)) }
}

extension PixelColor {
    init(_ color: Color) {
        func part(_ value: Double) -> UInt8 { value.isFinite ? UInt8(max(0, min(255, (value * 255).rounded()))) : 0 }
        self.init(
            red: part(color.red), green: part(color.green), blue: part(color.blue), alpha: part(color.alpha))
    }

    /// 0xAARRGGBB.
    var word: UInt32 { UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}
