import Interface
import SystemKit

extension Application {
    /// Seconds until the next look while there is no address: after the power came on, the network takes its time.
    static let shareImpatience = 3.0
    /// Seconds until the next look while an address is shown that may change.
    static let sharePatience = 60.0

    /// Reads the share's address when the screen on top tells it, and stops doing so when it does not.
    func lookAtShareIfShown() {
        if top.showsShare { lookAtShare(.now) } else { nextShareLook = nil }
    }

    func lookAtShare(_ now: MonotonicInstant) {
        guard top.showsShare else {
            nextShareLook = nil
            return
        }
        let read = world.readShare
        nextShareLook = now.advanced(bySeconds: Application.sharePatience)
        shareInquiry.ask({ { _ in read() } }) { [weak self] share in
            guard let self else { return }
            if share.url == nil, self.top.showsShare {
                self.nextShareLook = MonotonicInstant.now.advanced(bySeconds: Application.shareImpatience)
            }
            guard share != self.context.share else { return }
            self.context.share = share
            self.window.setNeedsDisplay()
        }
    }
}
