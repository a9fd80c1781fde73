internal import SDLKit

/// Brings a picture to another size, row by row, so that the large one is never held twice.
struct Resampler {
    /// Which pixels of the source make one of the target, and by how much.
    private struct Window {
        var start: Int
        var weights: [Float]
        var end: Int { start + weights.count }
    }

    private let columns: [Window]
    private let rows: [Window]
    private var sums: [Int: [Float]] = [:]
    private var firstOpen = 0
    private(set) var result: PixelImage
    /// Whether no pixel so far lets anything through.
    private(set) var isOpaque = true

    /// A resampler from a part of a picture to a size.
    ///
    /// - Parameter keepsEdges: pixels stay squares when they are enlarged, for the pictures of old consoles.
    init(sourceColumns: Range<Int>, sourceRows: Range<Int>, width: Int, height: Int, keepsEdges: Bool) {
        result = PixelImage(width: width, height: height)
        columns = Resampler.windows(sourceColumns, result.width, keepsEdges)
        rows = Resampler.windows(sourceRows, result.height, keepsEdges)
    }

    /// A whole picture at another size.
    static func scaled(_ image: PixelImage, width: Int, height: Int) -> PixelImage {
        var resampler = Resampler(
            sourceColumns: 0..<image.width, sourceRows: 0..<image.height, width: width, height: height,
            keepsEdges: false)
        resampler.add(image, firstRow: 0)
        return resampler.result
    }

    /// Takes the next rows of the source, in order from the first.
    mutating func add(_ strip: PixelImage, firstRow: Int) {
        for row in 0..<strip.height {
            let y = firstRow + row
            while firstOpen < rows.count, rows[firstOpen].end <= y { firstOpen += 1 }
            guard firstOpen < rows.count, rows[firstOpen].start <= y else { continue }
            let line = shrunk(strip, row)
            var target = firstOpen
            while target < rows.count, rows[target].start <= y {
                add(line, to: target, weight: rows[target].weights[y - rows[target].start])
                if rows[target].end == y + 1 { finish(target) }
                target += 1
            }
        }
    }

    private mutating func add(_ line: [Float], to row: Int, weight: Float) {
        var sum = sums.removeValue(forKey: row) ?? [Float](repeating: 0, count: line.count)
        line.withUnsafeBufferPointer { line in
            sum.withUnsafeMutableBufferPointer { sum in
                for index in 0..<sum.count { sum[index] += line[index] * weight }
            }
        }
        sums[row] = sum
    }

    /// One row at the target's width: blue, green, red (each multiplied by alpha) and alpha.
    private func shrunk(_ strip: PixelImage, _ row: Int) -> [Float] {
        var line = [Float](repeating: 0, count: columns.count * 4)
        let base = row * strip.width
        strip.pixels.withUnsafeBufferPointer { pixels in
            line.withUnsafeMutableBufferPointer { line in
                for (target, window) in columns.enumerated() {
                    var sum = SIMD4<Float>(repeating: 0)
                    for (offset, weight) in window.weights.enumerated() {
                        let pixel = pixels[base + window.start + offset]
                        let alpha = Float(pixel >> 24)
                        let scale = weight * alpha / 255
                        sum += SIMD4(
                            Float(pixel & 0xFF) * scale, Float(pixel >> 8 & 0xFF) * scale,
                            Float(pixel >> 16 & 0xFF) * scale, alpha * weight)
                    }
                    for part in 0..<4 { line[target * 4 + part] = sum[part] }
                }
            }
        }
        return line
    }

    private mutating func finish(_ row: Int) {
        guard let sum = sums.removeValue(forKey: row) else { return }
        for x in 0..<result.width {
            let alpha = sum[x * 4 + 3]
            if alpha < 254.5 { isOpaque = false }
            guard alpha > 0.25 else { continue }
            let scale = 255 / alpha
            func part(_ index: Int) -> UInt32 { UInt32(max(0, min(255, sum[x * 4 + index] * scale + 0.5))) }
            let top = UInt32(min(255, alpha + 0.5)) << 24
            result[x, row] = top | part(2) << 16 | part(1) << 8 | part(0)
        }
    }

    private static func windows(_ source: Range<Int>, _ count: Int, _ keepsEdges: Bool) -> [Window] {
        let scale = Double(source.count) / Double(count)
        return (0..<count).map { index in
            let center = (Double(index) + 0.5) * scale
            // A tent over two target pixels when it shrinks, over two source pixels when it grows.
            let reach = keepsEdges ? scale / 2 : max(scale, 1)
            let low = max(0, Int((center - reach).rounded(.down)))
            let high = min(source.count, max(low + 1, Int((center + reach).rounded(.up))))
            var weights = (low..<high).map { pixel -> Float in
                if keepsEdges {
                    let overlap = min(Double(pixel + 1), center + reach) - max(Double(pixel), center - reach)
                    return Float(max(0, overlap))
                }
                return Float(max(0, 1 - abs(Double(pixel) + 0.5 - center) / reach))
            }
            var total = weights.reduce(0, +)
            if total <= 0 {
                weights = weights.map { _ in 1 }
                total = Float(weights.count)
            }
            return Window(start: source.lowerBound + low, weights: weights.map { $0 / total })
        }
    }
}
