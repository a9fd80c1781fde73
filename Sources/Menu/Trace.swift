internal import SystemKit

/// Writes what happens, one JSON object a line, with monotonic nanoseconds: for measuring and for tests.
public final class Trace {
    /// A value of a field.
    public enum Value {
        /// A text.
        case text(String)
        /// A number.
        case number(Double)
    }

    private let write: (String) -> Void

    /// A trace that hands each line to `write`.
    public init(write: @escaping (String) -> Void) { self.write = write }

    /// Writes one event.
    public func write(_ event: String, _ fields: [(String, Value)] = []) {
        var line = "{\"event\":\(Trace.quoted(event)),\"ns\":\(MonotonicInstant.now.nanoseconds)"
        for (name, value) in fields {
            line += ",\(Trace.quoted(name)):"
            switch value {
            case .text(let text): line += Trace.quoted(text)
            case .number(let number):
                line += number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
            }
        }
        write(line + "}\n")
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
