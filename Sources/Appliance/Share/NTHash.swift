/// The hash that Samba keeps of a password: MD4 of its UTF-16, as Windows NT had it.
///
/// It protects nothing here. It answers whether the password that the television shows is the one that Samba knows.
enum NTHash {
    /// The hash in capital hexadecimal digits, as `pdbedit` prints it.
    static func text(of password: String) -> String {
        let bytes = password.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return md4(bytes).map { byte in
            let text = String(byte, radix: 16, uppercase: true)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }

    /// MD4 (RFC 1320).
    static func md4(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        let bits = UInt64(message.count) * 8
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for start in stride(from: 0, to: padded.count, by: 64) {
            let words = (0..<16).map { index in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(padded[start + index * 4 + $1]) << (8 * UInt32($1)) }
            }
            let before = state
            for step in 0..<48 { mix(&state, step, words) }
            for index in 0..<4 { state[index] = state[index] &+ before[index] }
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
    }

    private static let orders: [[Int]] = [
        Array(0..<16), [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
        [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
    ]
    private static let turns: [[UInt32]] = [[3, 7, 11, 19], [3, 5, 9, 13], [3, 9, 11, 15]]
    private static let constants: [UInt32] = [0, 0x5A82_7999, 0x6ED9_EBA1]

    private static func mix(_ state: inout [UInt32], _ step: Int, _ words: [UInt32]) {
        let round = step / 16
        let (b, c, d) = (state[1], state[2], state[3])
        let chosen: UInt32 =
            switch round {
            case 0: (b & c) | (~b & d)
            case 1: (b & c) | (b & d) | (c & d)
            default: b ^ c ^ d
            }
        let sum = state[0] &+ chosen &+ words[orders[round][step % 16]] &+ constants[round]
        let turn = turns[round][step % 4]
        state = [d, sum << turn | sum >> (32 - turn), b, c]
    }
}
