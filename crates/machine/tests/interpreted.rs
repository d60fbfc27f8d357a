//! Games that are played by the interpreter alone.

use houserules_kernel::{Generator, Position};
use houserules_machine::{Game, Options, compile};

fn played(interpreted: bool) -> (Game, Vec<u64>) {
    let text = "#game \"Toy\"\n#players \"Ann\" \"Bo\"\n#turns\n#property n 0\n#action hop with by (range 1 3)\n  \
                (increase n by by)\n#sideeffect \"Twenty are enough\" on hop\n  (if (>= n 20) (win player))\n";
    let loaded = houserules_gdl::read_text("test", text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let options = Options { interpreted, ..Options::default() };
    let game = compile(&loaded.definition, &options).unwrap_or_else(|faults| panic!("{faults:?}"));
    let start = game.start().unwrap();
    let mut generator = Generator::new(1);
    let lengths = (0..500).map(|_| start.clone().playout(&mut generator, 1000).unwrap()).collect();
    (game, lengths)
}

/// However much it is played, no native code is made of a stranger's definition.
#[test]
fn no_native_code_is_made_where_it_is_not_wanted() {
    let ((slow, by_interpreter), (quick, by_native)) = (played(true), played(false));
    assert_eq!((slow.program().is_native(), quick.program().is_native()), (false, true));
    assert_eq!(by_interpreter, by_native);
}
