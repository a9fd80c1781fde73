import SystemKit
