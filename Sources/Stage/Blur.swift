internal import SDLKit

/// Blurred rectangles.
enum Blur {
    /// Pixels that a shadow reaches beyond its rectangle.
    static func reach(_ blur: Int) -> Int { 3 * (boxRadius(blur)) + 1 }

    /// A rounded rectangle of a size, blurred, with its reach around it.
    static func shadow(width: Int, height: Int, radius: Int, blur: Int) -> PixelImage {
        let pad = reach(blur)
        let total = (width: width + 2 * pad, height: height + 2 * pad)
        var field = [Float](repeating: 0, count: total.width * total.height)
        let side = min(radius, width / 2, height / 2)
        for y in 0..<height {
            let row = min(y, height - 1 - y)
            for x in 0..<width {
                let column = min(x, width - 1 - x)
                let inCorner = row < side && column < side
                field[(y + pad) * total.width + x + pad] =
                    inCorner ? Float(Shapes.cornerCoverage(column, row, radius: Double(side))) : 1
            }
        }
        // Three box blurs are close to a Gaussian one and cost the same at every radius.
        let box = boxRadius(blur)
        if box > 0 {
            for _ in 0..<3 { pass(&field, total.height, total.width, step: 1, stride: total.width, box) }
            for _ in 0..<3 { pass(&field, total.width, total.height, step: total.width, stride: 1, box) }
        }
        var image = PixelImage(width: total.width, height: total.height)
        for index in field.indices {
            let x = index % total.width
            let y = index / total.width
            let value = Double(field[index]) * 255 + Grain.value(x, y)
            image.pixels[index] = UInt32(max(0, min(255, field[index] > 0.001 ? value : 0))) << 24 | 0x00FF_FFFF
        }
        return image
    }

    /// Half the width of one box, so that three of them fade over `blur` pixels.
    private static func boxRadius(_ blur: Int) -> Int { max(0, Int((Double(blur) * 0.4).rounded())) }

    /// Blurs every line of a field by a running sum.
    private static func pass(
        _ field: inout [Float], _ lines: Int, _ count: Int, step: Int, stride: Int, _ radius: Int
    ) {
        let scale = 1 / Float(2 * radius + 1)
        var line = [Float](repeating: 0, count: count + 2 * radius + 1)
        field.withUnsafeMutableBufferPointer { field in
            line.withUnsafeMutableBufferPointer { line in
                for number in 0..<lines {
                    let base = number * stride
                    for index in 0..<count { line[radius + index] = field[base + index * step] }
                    var sum: Float = 0
                    for index in 0..<2 * radius { sum += line[index] }
                    for index in 0..<count {
                        sum += line[index + 2 * radius]
                        field[base + index * step] = sum * scale
                        sum -= line[index]
                    }
                }
            }
        }
    }
}
