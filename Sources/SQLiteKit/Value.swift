/// A value on its way into a statement.
public enum Value: Sendable, Equatable {
    /// SQL's NULL.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// Text.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// A whole number of any width.
    public static func integer(_ value: Int) -> Value { .integer(Int64(value)) }
    /// 1 or 0.
    public static func flag(_ value: Bool) -> Value { .integer(value ? Int64(1) : Int64(0)) }
    /// Text, or NULL for `nil`.
    public static func optional(_ value: String?) -> Value { value.map { .text($0) } ?? .null }
    /// A number, or NULL for `nil`.
    public static func optional(_ value: Double?) -> Value { value.map { .real($0) } ?? .null }
    /// A number, or NULL for `nil`.
    public static func optional(_ value: Int64?) -> Value { value.map { .integer($0) } ?? .null }
}
