internal import SDLKit

/// Changing colours, with a grain so fine that no steps show.
enum Gradients {
    /// Width of the part of a tile that is repeated.
    static let repeated = 64

    /// The colours of a gradient in a rectangle of a size, with rounded corners.
    static func tile(_ key: GradientKey) -> PixelImage {
        var image = PixelImage(width: key.width, height: key.height)
        let count = key.isVertical ? key.height : key.width
        let from = parts(key.from)
        let to = parts(key.to)
        let colors = (0..<count).map { index -> [Double] in
            let share = (Double(index) + 0.5) / Double(count)
            return (0..<4).map { from[$0] + (to[$0] - from[$0]) * share }
        }
        let grain = Double(key.grain)
        for y in 0..<image.height {
            for x in 0..<image.width {
                let color = colors[key.isVertical ? y : x]
                let noise = Grain.value(x, y)
                var pixel: UInt32 = 0
                for part in 0..<4 {
                    // An opaque colour stays opaque; one that does not change keeps its exact value.
                    let isSteady = from[part] == to[part]
                    let shift = isSteady ? 0.5 : 0.5 + (noise - 0.5) * (part == 0 ? grain : 1)
                    pixel = pixel << 8 | UInt32(max(0, min(255, color[part] + shift)))
                }
                image[x, y] = pixel
            }
        }
        Shapes.roundCorners(of: &image, radius: key.radius)
        return image
    }

    private static func parts(_ color: UInt32) -> [Double] {
        [24, 16, 8, 0].map { Double(color >> $0 & 0xFF) }
    }
}
