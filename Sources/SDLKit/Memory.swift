internal import CSDL

/// Gives memory that was freed back to the system.
///
/// The allocator keeps what a large picture needed, in the arena of the thread that decoded it.
public func returnFreedMemory() { malloc_trim(0) }
