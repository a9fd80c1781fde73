import SystemKit

extension Application {
    /// Lets the news of sticks be seen.
    func wireSticks() {
        stickNews.tell = { [weak self] sentence, action in self?.toast(sentence, action: action) }
        stickNews.show = { [weak self] journal in
            if journal != nil { self?.scanSign.hide() }
            self?.stickSign.show(journal)
        }
        stickNews.explain = { [weak self] title, sentence in
            guard let self else { return }
            // A game has the screen: what there is to read waits in the panel of sticks.
            if self.isPlaying { return }
            self.push(
                QuestionScreen(context: self.context, title: title, sentence: sentence, accent: Theme.brand))
        }
        stickNews.look()
    }

    /// Disks came or went, or are games' places now.
    func lookAtDisks() {
        libraryNews.look()
        stickNews.look()
    }

    func copyStick(_ offer: StickNews.Offer, goesOn: Bool) { stickNews.begin(offer, goesOn: goesOn) }
}
