use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Where a server listens, where it keeps things, and what it allows.
#[derive(Clone, Debug)]
pub struct Config {
    pub listen: SocketAddr,
    /// The file of the database, or the address of a PostgreSQL server.
    pub data: PathBuf,
    /// The address of a NATS server, where several servers share a database.
    pub bus: Option<String>,
    /// Whether workers on the bus think for the machine, as long as there are any.
    pub think_elsewhere: bool,
    /// Who has not told the database for so long that they are there may be declared gone.
    pub lease: Duration,
    /// How people reach it from outside, such as `https://play.example.org`; none: as the browser says.
    pub public_url: Option<String>,
    /// Whether a reverse proxy stands before it, whose word about addresses counts.
    pub behind_proxy: bool,
    pub limits: Limits,
}

impl Config {
    /// What a lease usually is.
    pub const LEASE: Duration = Duration::from_secs(3);
}

/// How much is allowed. Strangers come to the door.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Tables awake at once; those that sleep do not count.
    pub tables: usize,
    /// Connections to one table.
    pub viewers: usize,
    /// Connections from one address.
    pub sockets: usize,
    /// Bytes of one message or request.
    pub message_bytes: usize,
    /// Bytes of a definition.
    pub definition_bytes: usize,
    /// Messages a second on one connection, for long; three times as many at once.
    pub messages: u32,
    /// Requests a second from one address, for long; five times as many at once.
    pub requests: u32,
    /// Tables and definitions an hour from one address.
    pub openings: u32,
    /// Entries of the log of one table: moves, talk, proposals.
    pub entries: u32,
    /// Messages that wait for a slow reader before it is dropped.
    pub waiting: usize,
    /// Seconds after which a message that cannot be written is given up, and the connection with it.
    pub write_seconds: u64,
    /// The highest level of the machine.
    pub level: u8,
    /// Threads for the machine's thoughts.
    pub thinkers: usize,
    /// Seconds a minute that the machine thinks for one address, for long; five times as many at once. Beyond that it waits.
    pub thinking: u32,
    /// Tables of brought definitions that may run at the same moment.
    pub strangers: usize,
    /// Steps of a brought definition between two decisions.
    pub stranger_steps: u64,
    /// Whether native code is made of brought definitions, as it is of those of the library.
    pub stranger_native: bool,
    /// Studies that are played at the same time.
    pub studies: usize,
    /// Seconds after which a study is stopped.
    pub study_seconds: u64,
    /// Seconds without anybody until a table leaves memory.
    pub sleep_after: u64,
    /// Seconds until somebody who left is away.
    pub away_after: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            tables: 5_000,
            viewers: 200,
            sockets: 200,
            message_bytes: 64 * 1024,
            definition_bytes: 256 * 1024,
            messages: 20,
            requests: 20,
            openings: 600,
            entries: 100_000,
            waiting: 256,
            write_seconds: 20,
            level: 10,
            thinkers: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            thinking: 60,
            strangers: 2,
            stranger_steps: 5_000_000,
            stranger_native: false,
            studies: 1,
            study_seconds: 60,
            sleep_after: 60,
            away_after: 60,
        }
    }
}
