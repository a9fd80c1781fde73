internal import Glibc

/// Whether the kernel refuses to let this descriptor of a graphics card change what the screen shows.
///
/// Asks by admitting client 0 to the card: only who has the right is told that there is no such client.
public func isRefusedTheScreen(_ descriptor: Int32) -> Bool {
    // DRM_IOCTL_AUTH_MAGIC, a macro over sizeof that Swift does not see.
    let admit: UInt = 0x4004_6411
    var client: UInt32 = 0
    return ioctl(descriptor, admit, &client) == -1 && errno == EACCES
}
