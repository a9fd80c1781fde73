/// The kernel's facts about one axis (`struct input_absinfo`).
public struct AxisInfo: Sendable, Hashable {
    /// The value when it was asked for.
    public var value: Int32
    /// The lowest value.
    public let minimum: Int32
    /// The highest value.
    public let maximum: Int32
    /// Changes up to this are noise.
    public let fuzz: Int32
    /// Values so close to the centre count as the centre.
    public let flat: Int32
    /// Units a millimetre or radian; 0 where the driver does not say.
    public let resolution: Int32

    /// An axis with all its parts.
    public init(
        value: Int32 = 0, minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
    ) {
        self.value = value
        self.minimum = minimum
        self.maximum = maximum
        self.fuzz = fuzz
        self.flat = flat
        self.resolution = resolution
    }
}

/// What an event device can send, as a value, so that deciding about it needs no device.
public struct Capabilities: Sendable, Hashable {
    /// The `EV_KEY` codes.
    public var keys: Set<KeyCode>
    /// The `EV_ABS` codes with their ranges.
    public var axes: [AxisCode: AxisInfo]
    /// The `EV_REL` codes.
    public var relative: Set<UInt16>
    /// The input properties.
    public var properties: Set<InputProperty>

    /// A set with all its parts.
    public init(
        keys: Set<KeyCode> = [], axes: [AxisCode: AxisInfo] = [:], relative: Set<UInt16> = [],
        properties: Set<InputProperty> = []
    ) {
        self.keys = keys
        self.axes = axes
        self.relative = relative
        self.properties = properties
    }

    /// Reads the bitmaps that sysfs shows at `capabilities/` and `properties`, which needs no permission on the node.
    ///
    /// Ranges of axes are not there: they are set to 0.
    public init(keyBitmap: String, axisBitmap: String, relativeBitmap: String, propertyBitmap: String) {
        self.init(
            keys: Set(bits(of: keyBitmap).map(KeyCode.init(rawValue:))),
            axes: Dictionary(
                bits(of: axisBitmap).map { (AxisCode(rawValue: $0), AxisInfo(minimum: 0, maximum: 0)) },
                uniquingKeysWith: { first, _ in first }),
            relative: Set(bits(of: relativeBitmap)),
            properties: Set(bits(of: propertyBitmap).map(InputProperty.init(rawValue:))))
    }
}

/// The numbers of the set bits of a sysfs bitmap: hexadecimal machine words, the highest first.
private func bits(of bitmap: String) -> [UInt16] {
    var numbers: [UInt16] = []
    for (index, word) in bitmap.split(whereSeparator: \.isWhitespace).reversed().enumerated() {
        guard var value = UInt64(word, radix: 16), index < 64 else { continue }
        while value != 0 {
            numbers.append(UInt16(index * UInt.bitWidth + value.trailingZeroBitCount))
            value &= value - 1
        }
    }
    return numbers
}
