public import Appliance

/// The machine under the menu: what can be read about it, and how it is changed.
///
/// The door connects it with `Appliance.Door`; tests with a machine of their own.
public struct MachineDesk: Sendable {
    /// Where facts are read. Reading may take a moment: never on the menu's thread.
    public var machine: Machine
    /// Carries a change out, telling what is being done. Blocks until it is done.
    ///
    /// - Returns: what a person should know: sentences.
    public var perform: @Sendable (MachineChange, _ tell: (String) -> Void) throws -> [String]

    /// A machine and how it is changed.
    public init(
        machine: Machine, perform: @escaping @Sendable (MachineChange, _ tell: (String) -> Void) throws -> [String]
    ) {
        self.machine = machine
        self.perform = perform
    }
}
