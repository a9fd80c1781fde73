import Glibc
import SystemKit
import Testing

@testable import Stage

extension StageSuite {
    @Suite struct ScreenRightTests {
        /// A made-up `/dev/dri` that is also its own `/proc/self/fd`: `11` is a link to `card1`.
        private func isMissing(_ open: [Int32: BytePath], heldBy holder: Int32?) throws -> Bool {
            try withFolder { folder in
                for (number, name) in open {
                    try replaceFile(at: folder.appending(name), with: [])
                    let link = folder.appending(BytePath("\(number)"))
                    let code = name.withCString { name in link.withCString { symlink(name, $0) } }
                    try #require(code == 0)
                }
                return ScreenRight.isMissing(descriptors: folder, devices: folder) {
                    $0 == holder ? .held : .refused
                }
            }
        }

        @Test func aCardThatAnotherProgramShowsOnIsNotOurs() throws {
            #expect(try isMissing([11: "card1", 12: "card1"], heldBy: nil))
        }

        @Test func oneDescriptorWithTheRightIsEnough() throws {
            #expect(try !isMissing([9: "card0", 11: "card1", 12: "card1"], heldBy: 11))
        }

        @Test func whereNoCardIsOpenNothingIsMissing() throws {
            #expect(try !isMissing([:], heldBy: nil))
            #expect(try !isMissing([11: "renderD128"], heldBy: nil))
        }

        @Test func anAnswerThatIsNoRefusalCountsAsTheRight() throws {
            // A kernel that does not know the question must not keep the menu waiting for ever.
            let null = try Descriptor.open("/dev/null", flags: O_RDONLY)
            #expect(!ScreenRight.isMissing(devices: "/dev", prefix: "null"))
            withExtendedLifetime(null) {}
        }
    }
}
