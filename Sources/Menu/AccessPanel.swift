import Appliance
import Interface
import SystemKit

/// What the machine is called and who may log in.
final class AccessPanel: ChoiceScreen {
    private let inquiry: Inquiry
    private var facts: AccountFacts?

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context, title: "Name and access", rows: [])
    }

    override func appear() { look() }

    private func look() {
        let machine = context.machine.machine
        inquiry.ask({ { _ in AccountFacts.read(machine) } }) { [weak self] facts in
            self?.facts = facts
            self?.fill()
        }
    }

    private func fill() {
        guard let facts else { return }
        subtitle = facts.loginUser.map { "Login: \($0)" } ?? ""
        var rows = [
            Row(label: "Name in the network", value: facts.hostName) { [weak self] in self?.rename(facts.hostName) }
        ]
        if facts.loginUser != nil {
            rows.append(Row(label: "Password for login") { [weak self] in self?.setPassword() })
        }
        if facts.hasSSH {
            rows.append(
                Row(label: "Login over the network", isOn: facts.isSSHRunning) { [weak self] in
                    self?.toggleSSH(facts.isSSHRunning)
                })
        }
        replace(rows)
    }

    private func rename(_ name: String) {
        context.host?.push(
            TextEntryScreen(
                context: context, title: "Name in the network", note: "Letters, digits and hyphens", text: name,
                limit: 63, kind: .exact
            ) { [weak self] name in
                self?.change(.hostName(name), "Naming the machine", "The machine is called \(name)")
            })
    }

    private func setPassword() {
        context.host?.push(
            TextEntryScreen(
                context: context, title: "Password for login", note: "At least eight characters", limit: 128,
                kind: .exact
            ) { [weak self] password in
                self?.change(.password(password), "Setting the password", "The password is set")
            })
    }

    private func toggleSSH(_ isOn: Bool) {
        change(
            .ssh(isOn: !isOn), isOn ? "Closing the machine" : "Opening the machine",
            isOn ? "Nobody can log in over the network" : "Login over the network is on")
    }

    private func change(_ change: AccountChange, _ title: String, _ done: String) {
        context.change(.account(change), title: title, done: done) { [weak self] in self?.look() }
    }
}
