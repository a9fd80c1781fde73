import Appliance
import Interface
import SystemKit

/// What the machine is called and who may log in.
final class AccessPanel: ChoiceScreen {
    private let inquiry: Inquiry
    private var hostName = ""

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context, title: "Name and access", rows: [])
        fill()
    }

    override func appear() { look() }

    private func look() {
        inquiry.ask({ { _ in machineHostName() } }) { [weak self] name in
            self?.hostName = name
            self?.fill()
        }
    }

    private func fill() {
        replace([
            Row(label: "Name in the network", value: hostName) { [weak self] in self?.rename() },
            Row(label: "Password for login") { [weak self] in self?.setPassword() },
        ])
    }

    private func rename() {
        context.host?.push(
            TextEntryScreen(
                context: context, title: "Name in the network", note: "Letters, digits and hyphens", text: hostName,
                limit: 63, kind: .exact
            ) { [weak self] name in
                self?.context.change(
                    .account(.hostName(name)), title: "Naming the machine", done: "The machine is called \(name)")
            })
    }

    private func setPassword() {
        context.host?.push(
            TextEntryScreen(
                context: context, title: "Password for login", note: "At least eight characters", limit: 128,
                kind: .exact
            ) { [weak self] password in
                self?.context.change(
                    .account(.password(password)), title: "Setting the password", done: "The password is set")
            })
    }
}
