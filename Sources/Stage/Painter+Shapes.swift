internal import Interface
internal import SDLKit

extension Painter {
    func fill(_ rect: PixelRect, _ color: PixelColor, radius: Double) {
        guard shows(rect), color.alpha > 0 else { return }
        let radius = fitting(radius, rect)
        guard radius >= 0.5, let corners = shapes.texture(.corners(radius: Int((radius * 4).rounded()))) else {
            block(rect, color)
            return
        }
        let side = corners.width / 2
        paintCorners(corners, side, of: rect, color)
        block(PixelRect(rect.x + side, rect.y, rect.width - 2 * side, side), color)
        block(PixelRect(rect.x, rect.y + side, rect.width, rect.height - 2 * side), color)
        block(PixelRect(rect.x + side, rect.y + rect.height - side, rect.width - 2 * side, side), color)
    }

    func stroke(_ rect: PixelRect, _ color: PixelColor, radius: Double, width: Double) {
        guard shows(rect), color.alpha > 0, width.isFinite else { return }
        let radius = fitting(radius, rect)
        let width = Int(max(1, min(Double(min(rect.width, rect.height) / 2), width.rounded())))
        guard width * 2 < min(rect.width, rect.height) else {
            fill(rect, color, radius: radius)
            return
        }
        var side = width
        if radius >= 0.5 {
            side = max(width, Int(radius.rounded(.up)))
            let key = ShapeKey.edgeCorners(radius: Int((radius * 4).rounded()), width: width, side: side)
            if let corners = shapes.texture(key) { paintCorners(corners, side, of: rect, color) }
        } else {
            for corner in quarters(of: rect, side) { block(corner, color) }
        }
        let inner = (width: rect.width - 2 * side, height: rect.height - 2 * side)
        block(PixelRect(rect.x + side, rect.y, inner.width, width), color)
        block(PixelRect(rect.x + side, rect.y + rect.height - width, inner.width, width), color)
        block(PixelRect(rect.x, rect.y + side, width, inner.height), color)
        block(PixelRect(rect.x + rect.width - width, rect.y + side, width, inner.height), color)
    }

    func gradient(_ rect: PixelRect, from: Color, to: Color, vertical: Bool, radius: Double) {
        let strength = max(from.alpha, to.alpha)
        guard shows(rect), strength > 0.002, rect.width <= 16384, rect.height <= 16384 else { return }
        let side = Int(fitting(radius, rect).rounded())
        // While something fades only the strength changes, and the tile stays.
        let tint = PixelColor(red: 255, green: 255, blue: 255, alpha: PixelColor(Color.white.faded(strength)).alpha)
        let tile = 2 * side + Gradients.repeated
        let key = GradientKey(
            width: vertical ? min(rect.width, tile) : rect.width,
            height: vertical ? rect.height : min(rect.height, tile), radius: side,
            from: PixelColor(from.faded(1 / strength)).word, to: PixelColor(to.faded(1 / strength)).word,
            isVertical: vertical, grain: grain(strength))
        guard let texture = shapes.texture(.gradient(key)) else {
            fill(rect, PixelColor(from.mixed(with: to, 0.5)), radius: radius)
            return
        }
        let length = vertical ? rect.width : rect.height
        for (start, target, count) in repeats(length, texture: vertical ? texture.width : texture.height, side) {
            let source =
                vertical
                ? PixelRect(start, 0, count, texture.height) : PixelRect(0, start, texture.width, count)
            let place =
                vertical
                ? PixelRect(rect.x + target, rect.y, count, rect.height)
                : PixelRect(rect.x, rect.y + target, rect.width, count)
            copy(texture, from: source, to: place, tint)
        }
    }

    func shadow(_ rect: PixelRect, _ color: PixelColor, radius: Double, blur: Double) {
        guard color.alpha > 0, !rect.isEmpty, blur.isFinite else { return }
        let blur = Int(max(0, min(256, blur.rounded())))
        let pad = Blur.reach(blur)
        let outside = PixelRect(rect.x - pad, rect.y - pad, rect.width + 2 * pad, rect.height + 2 * pad)
        guard shows(outside) else { return }
        let radius = Int(fitting(radius, rect).rounded())
        let margin = radius + pad
        let key = ShapeKey.shadow(
            width: min(rect.width, 2 * margin + 1), height: min(rect.height, 2 * margin + 1), radius: radius,
            blur: blur)
        guard let texture = shapes.texture(key) else { return }
        let columns = slices(outside.x, outside.width, texture.width)
        let rows = slices(outside.y, outside.height, texture.height)
        for row in rows {
            for column in columns {
                let target = PixelRect(column.target, row.target, column.length, row.length)
                if column.isMiddle && row.isMiddle {
                    block(target, color)
                } else {
                    copy(
                        texture, from: PixelRect(column.source, row.source, column.count, row.count), to: target, color)
                }
            }
        }
    }

    func glow(_ center: Point, radius: Double, _ color: Color) {
        guard radius.isFinite, radius >= 1, radius < 20_000, color.alpha > 0.002 else { return }
        let place = PixelRect(Rect(center.x - radius, center.y - radius, radius * 2, radius * 2))
        guard shows(place) else { return }
        var side = place.width / 2
        var part = PixelRect(0, 0, 2 * side, 2 * side)
        var target = place
        if renderer.name == "software" {
            // Stretching costs the processor more than all the rest of a frame; what is seen is made once as it is.
            target = place.intersection(clip)
            part = PixelRect(target.x - place.x, target.y - place.y, target.width, target.height)
        } else if side > 384 {
            // Larger lights are stretched: nothing in them is sharp.
            side = 384
            part = PixelRect(0, 0, 2 * side, 2 * side)
        }
        guard side > 0, let texture = shapes.texture(.glow(radius: side, grain: grain(color.alpha), part: part))
        else { return }
        copy(texture, from: texture.bounds, to: target, PixelColor(color))
    }

    func ring(_ center: Point, radius: Double, width: Double, fraction: Double, _ color: PixelColor) {
        guard radius.isFinite, radius >= 1, radius <= 1024, fraction > 0, color.alpha > 0, width > 0 else { return }
        let whole = Int(radius.rounded())
        let thickness = Int((min(width, radius) * 4).rounded())
        let key = ShapeKey.arc(
            radius: whole, width: thickness, fraction: min(1024, Int((fraction * 1024).rounded(.up))))
        guard let texture = shapes.texture(key) else { return }
        let x = (center.x - Double(texture.width) / 2).rounded()
        let y = (center.y - Double(texture.height) / 2).rounded()
        let place = PixelRect(Rect(x, y, Double(texture.width), Double(texture.height)))
        copy(texture, from: texture.bounds, to: place, color)
    }

    /// Strength of the noise before something is multiplied by an opacity, so that one step of it is left after.
    private func grain(_ opacity: Double) -> Int {
        opacity > 0.7 ? 1 : opacity > 0.35 ? 2 : opacity > 0.17 ? 4 : opacity > 0.08 ? 8 : 16
    }

    /// A radius that the rectangle has room for.
    private func fitting(_ radius: Double, _ rect: PixelRect) -> Double {
        radius.isFinite ? max(0, min(radius, Double(min(rect.width, rect.height) / 2))) : 0
    }

    private func quarters(of rect: PixelRect, _ side: Int) -> [PixelRect] {
        let right = rect.x + rect.width - side
        let bottom = rect.y + rect.height - side
        return [(rect.x, rect.y), (right, rect.y), (rect.x, bottom), (right, bottom)]
            .map { PixelRect($0.0, $0.1, side, side) }
    }

    private func paintCorners(_ texture: Texture, _ side: Int, of rect: PixelRect, _ color: PixelColor) {
        for (source, target) in zip(quarters(of: texture.bounds, side), quarters(of: rect, side)) {
            copy(texture, from: source, to: target, color)
        }
    }

    private struct Slice {
        let source: Int
        let count: Int
        let target: Int
        let length: Int
        let isMiddle: Bool
    }

    /// A length of the screen from a shorter one of a texture, whose middle pixel is stretched.
    private func slices(_ origin: Int, _ length: Int, _ texture: Int) -> [Slice] {
        guard length > texture else {
            return [Slice(source: 0, count: texture, target: origin, length: length, isMiddle: false)]
        }
        let side = texture / 2
        return [
            Slice(source: 0, count: side, target: origin, length: side, isMiddle: false),
            Slice(source: side, count: 1, target: origin + side, length: length - 2 * side, isMiddle: true),
            Slice(
                source: texture - side, count: side, target: origin + length - side, length: side, isMiddle: false),
        ]
    }

    /// A length of the screen from a tile: both ends once, the part between as often as needed.
    private func repeats(_ length: Int, texture: Int, _ side: Int) -> [(source: Int, target: Int, count: Int)] {
        guard length > texture else { return [(0, 0, length)] }
        let middle = texture - 2 * side
        var pieces: [(Int, Int, Int)] = side > 0 ? [(0, 0, side), (texture - side, length - side, side)] : []
        var target = side
        while target < length - side {
            let count = min(middle, length - side - target)
            pieces.append((side, target, count))
            target += count
        }
        return pieces
    }
}
