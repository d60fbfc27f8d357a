//! The corpus of the fuzz targets, fed to them once more.

use houserules_net::targets;
use std::path::Path;

/// What fuzzing has found stays found: every input that is kept is taken without a panic.
#[test]
fn every_target_takes_its_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (name, target) in targets::ALL {
        let folder = std::fs::read_dir(corpus.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut taken = 0;
        for entry in folder {
            let path = entry.unwrap().path();
            println!("{}", path.display());
            target(&std::fs::read(&path).unwrap());
            taken += 1;
        }
        assert!(taken > 0, "{name} has a corpus");
    }
    let known = std::fs::read_dir(&corpus).unwrap().count();
    assert_eq!(known, targets::ALL.len(), "every corpus has a target");
}
