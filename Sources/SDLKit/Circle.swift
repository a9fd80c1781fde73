internal import CSDL

/// Angles as parts of a turn, from twelve o'clock clockwise, on a screen whose y grows downwards.
public enum Circle {
    /// The point at an angle on the circle of radius 1.
    public static func point(_ turn: Double) -> (x: Double, y: Double) {
        let angle = turn * 2 * Double.pi
        return (SDL_sin(angle), -SDL_cos(angle))
    }

    /// The angle of a point, from 0 up to 1.
    public static func turn(x: Double, y: Double) -> Double {
        let turn = SDL_atan2(x, -y) / (2 * Double.pi)
        return turn < 0 ? turn + 1 : turn
    }
}
