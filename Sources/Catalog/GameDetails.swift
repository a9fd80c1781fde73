public import SystemKit

/// What is known about a game beyond its file: from a gamelist or a DAT file, with the person's edits over it.
public struct GameDetails: Sendable, Equatable {
    /// What it is about, in a few sentences.
    public var description: String?
    /// Who made it.
    public var developer: String?
    /// Who sold it.
    public var publisher: String?
    /// Kinds of game: `Platform`, `Role Playing`.
    public var genres: [String]
    /// As written: `1`, `1-4`.
    public var players: String?
    /// When it was first sold: `1990`, `1990-11` or `1990-11-21`.
    public var released: String?
    /// From 0 to 1.
    public var rating: Double?
    /// Artwork that the record names, by kind, as absolute paths; the files may be absent.
    public var pictures: [Artwork.Kind: BytePath]
    /// Keys of gamelist.xml that the person wrote over.
    public var edited: [String]
    /// What the contents are, as far as they were read: the name in a DAT file.
    public var identifiedAs: String?
    /// The checksum of the contents, as eight hexadecimal digits.
    public var crc: String?
    /// What is wrong with the file, as a sentence: an archive that cannot be read, a sheet that names absent files.
    public var fileProblem: String?

    /// Details; without arguments nothing is known.
    public init(
        description: String? = nil, developer: String? = nil, publisher: String? = nil, genres: [String] = [],
        players: String? = nil, released: String? = nil, rating: Double? = nil,
        pictures: [Artwork.Kind: BytePath] = [:], edited: [String] = [], identifiedAs: String? = nil,
        crc: String? = nil, fileProblem: String? = nil
    ) {
        self.description = description
        self.developer = developer
        self.publisher = publisher
        self.genres = genres
        self.players = players
        self.released = released
        self.rating = rating
        self.pictures = pictures
        self.edited = edited
        self.identifiedAs = identifiedAs
        self.crc = crc
        self.fileProblem = fileProblem
    }
}
