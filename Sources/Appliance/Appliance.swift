/// What this product calls itself.
public enum Appliance {
    /// The one place that says which version this is.
    public static let version = "0.1.0"
}
