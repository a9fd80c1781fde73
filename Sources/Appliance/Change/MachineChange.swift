/// Everything about the machine that the menu and `retro-admin` can change, as values.
///
/// This is the list that the door (`DoorServer`) knows: what is no case here cannot be asked for. Each case says what is
/// wanted, never how: no program, no path of a file to write and no option comes from outside.
public enum MachineChange: Sendable, Equatable, Codable {
    /// The disk.
    case storage(StorageChange)
    /// Wi-Fi.
    case wifi(WiFiChange)
    /// The share.
    case share(ShareChange)
    /// Passwords, SSH and the machine's name.
    case account(AccountChange)
    /// Language, time zone and keyboard.
    case place(PlaceChange)
    /// What the firmware reads: overclocking, picture.
    case boot(BootChange)
    /// Where sound comes out and how loud.
    case sound(SoundChange)
    /// Restarting and switching off.
    case power(PowerChange)
    /// USB sticks.
    case stick(StickChange)

    /// What has to be done for it, from facts that are read now. Nothing is changed.
    ///
    /// - Throws: `ApplianceError` where the values cannot be meant, or the machine cannot be changed that way.
    public func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        switch self {
        case .storage(let change): try change.plan(on: machine)
        case .wifi(let change): try change.plan(on: machine)
        case .share(let change): try change.plan(on: machine)
        case .account(let change): try change.plan(on: machine)
        case .place(let change): try change.plan(on: machine)
        case .boot(let change): try change.plan(on: machine)
        case .sound(let change): try change.plan(on: machine)
        case .power(let change): try change.plan(on: machine)
        case .stick(let change): try change.plan(on: machine)
        }
    }
}
