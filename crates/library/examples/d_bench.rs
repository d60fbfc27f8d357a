use houserules_kernel::{Generator, Position};
use houserules_library::{Options, find};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n: u64 = args[2].parse().unwrap();
    let mut options = Options::default();
    options.variants.extend(args.get(3).cloned());
    let game = find(&args[1]).unwrap().compile(&options).unwrap();
    if std::env::var_os("HOUSERULES_INTERPRET").is_none() {
        game.program().go_native();
    }
    let start = game.start().unwrap();
    let mut position = start.clone();
    let mut generator = Generator::new(1);
    let (mut moves, mut sum) = (0u64, 0u64);
    let began = std::time::Instant::now();
    for _ in 0..n {
        position.copy_from(&start);
        let played = position.playout(&mut generator, 100_000).unwrap();
        moves += played;
        sum = sum.wrapping_mul(31).wrapping_add(played).wrapping_mul(31).wrapping_add(position.fingerprint().0);
    }
    let seconds = began.elapsed().as_secs_f64();
    println!("{} {n} playouts {moves} moves {:.1} a playout, {:.0}/s, {:.0} ns a move, sum {sum:x}", args[1], moves as f64 / n as f64, n as f64 / seconds, 1e9 * seconds / moves as f64);
}
