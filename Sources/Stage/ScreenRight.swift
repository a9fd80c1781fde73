internal import SystemKit

/// The right to set what a screen without window system shows: the kernel gives it to one process at a time.
///
/// SDL asks for it and does not look at the answer. Without it every picture is painted and none is seen, also after
/// the other program has ended; so whoever opens such a screen looks here.
enum ScreenRight {
    /// What the kernel answers when it is asked through a descriptor of a graphics card.
    enum Answer: Equatable {
        /// This descriptor has the right.
        case held
        /// Another one has it, or nobody.
        case refused
    }

    /// Whether this process has graphics cards open, and the right to none of them.
    ///
    /// - Parameter descriptors: a folder with a link for each descriptor.
    /// - Parameter devices: the folder of the cards.
    /// - Parameter prefix: what a card's name begins with; `renderD128` and its like show nothing.
    static func isMissing(
        descriptors: BytePath = "/proc/self/fd", devices: BytePath = "/dev/dri", prefix: String = "card",
        ask: (Int32) -> Answer = ask
    ) -> Bool {
        let names = (try? directoryNames(descriptors)) ?? []
        let answers = names.compactMap { name -> Answer? in
            guard let number = Int32(name.displayString),
                let target = try? resolvedPath(descriptors.appending(name)),
                target.parent == devices, target.name.bytes.starts(with: prefix.utf8)
            else { return nil }
            return ask(number)
        }
        return !answers.isEmpty && !answers.contains(.held)
    }

    private static func ask(_ descriptor: Int32) -> Answer { isRefusedTheScreen(descriptor) ? .refused : .held }
}
