import Interface

/// Measures every character as half its size, so that expectations can be worked out by hand.
final class HalfWidth: TextMeasuring {
    func width(of text: String, style: TextStyle) -> Double { Double(text.count) * style.size / 2 }
    func lineHeight(_ style: TextStyle) -> Double { style.size * 1.25 }
}

/// Remembers what it heard.
final class Listener: View {
    var heard: [Event] = []
    var answers = true

    override func handle(_ event: Event) -> Bool {
        heard.append(event)
        return answers
    }
}

func window(_ width: Double = 400, _ height: Double = 300) -> Window {
    Window(size: Size(width, height), measurer: HalfWidth())
}
