//! A database with nothing in it.

use houserules_engines::Postgres;
use houserules_store::Entry;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Gone with whoever has it.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("houserules-store-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn file(&self) -> PathBuf {
        self.0.join("tables.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub struct Subject {
    pub data: PathBuf,
    _folder: Option<Folder>,
}

impl Subject {
    pub fn sqlite(name: &str) -> Self {
        let folder = Folder::new(name);
        Subject { data: folder.file(), _folder: Some(folder) }
    }

    pub fn postgres() -> Self {
        static ENGINE: OnceLock<Postgres> = OnceLock::new();
        let engine = ENGINE.get_or_init(|| Postgres::start(false).unwrap());
        Subject { data: engine.database().unwrap().into(), _folder: None }
    }
}

/// One suite, two subjects.
macro_rules! on_both {
    ($($name:ident,)*) => {
        mod on_sqlite {
            $(#[test]
            fn $name() {
                super::$name(&crate::subject::Subject::sqlite(stringify!($name)));
            })*
        }

        mod on_postgres {
            $(#[test]
            fn $name() {
                super::$name(&crate::subject::Subject::postgres());
            })*
        }
    };
}
pub(crate) use on_both;

pub fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

pub fn entry(number: u32) -> Entry {
    Entry { number, kind: "line".into(), body: format!("A South hole{number}"), at: 7 }
}
