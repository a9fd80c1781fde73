import Commands
import SystemKit

/// The door: the process's words and world go in, its end comes out.
@main
struct Door {
    static func main() async {
        prepareStandardDescriptors()
        switch await RetroAdmin.run(processArguments(), in: .process()) {
        case .exit(let status): exitProcess(status)
        case .signal(let number): endProcess(bySignal: number)
        }
    }
}
