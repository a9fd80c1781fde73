import SystemKit

/// The door.
@main
struct Door {
    static func main() {}
}
