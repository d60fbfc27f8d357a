use houserules_kernel::{Generator, Position, Rulebook};
use houserules_library::{Options, find};
fn cpu() -> f64 {
    let t = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    t.split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9
}
fn main() {
    let secs: f64 = std::env::var("S").ok().and_then(|s| s.parse().ok()).unwrap_or(0.5);
    let all = [
        ("tic-tac-toe", "", "", 41.0e6, 15.),
        ("connect-four", "", "", 10.18e6, 11.),
        ("othello", "", "", 451.7e3, 40.),
        ("awele", "", "", 485.7e3, 20.),
        ("breakthrough", "", "", 902e3, 45.),
        ("hex", "no swap", "", 374e3, 7.5),
        ("go", "", "size=9", 135e3, 20.),
        ("chess", "repetition goes on", "", 20.5e3, 32.),
        ("gomoku", "", "", 170e3, 1.),
        ("yavalath", "", "", 805e3, 1.),
        ("go", "", "size=19", 410., 1.),
        ("english-draughts", "", "", 40e3, 1.),
        ("nine-mens-morris", "", "", 28.8e3, 1.),
        ("amazons", "", "", 12.2e3, 1.),
        ("backgammon", "", "", 703., 1.),
    ];
    let want: Vec<String> = std::env::args().skip(1).collect();
    for (game, variant, setting, limit, must) in all {
        if !want.is_empty() && !want.iter().any(|w| w == game) {
            continue;
        }
        let found = find(game).unwrap();
        let o = Options {
            variants: if variant.is_empty() { vec![] } else { vec![variant.into()] },
            settings: setting.split_once('=').map(|(a, b)| (a.to_string(), b.to_string())).into_iter().collect(),
            ..Options::default()
        };
        let g = found.compile(&o).unwrap();
        let start = g.open().unwrap();
        let mut gen_ = Generator::new(1);
        let mut p = start.duplicate();
        if let Some(n) = std::env::var("N").ok().and_then(|s| s.parse::<u64>().ok()) {
            let mut plies = 0;
            for _ in 0..n {
                if !p.copy_from(&*start) {
                    p = start.duplicate();
                }
                while !p.is_over() {
                    plies += p.playout(&mut gen_, 1 << 20).unwrap();
                }
            }
            println!("{game} plies {plies}");
            continue;
        }
        let mut best = 0f64;
        let (mut n_all, mut plies) = (0u64, 0u64);
        for w in 0..4 {
            let t = cpu();
            let mut n = 0u64;
            let mut chunk = 1;
            loop {
                for _ in 0..chunk {
                    if !p.copy_from(&*start) {
                        p = start.duplicate();
                    }
                    while !p.is_over() {
                        plies += p.playout(&mut gen_, 1 << 20).unwrap();
                    }
                    n += 1;
                    n_all += 1;
                }
                let d = cpu() - t;
                if d < 0.01 {
                    chunk *= 2;
                }
                if d >= if w == 0 { 0.2 } else { secs } {
                    if w > 0 {
                        best = best.max(n as f64 / d);
                    }
                    break;
                }
            }
        }
        println!(
            "{game:18} {setting:8} {best:12.0}/s  ratio {:7.2} (must {must})  plies {:.2}  ns/ply {:.1}",
            limit / best,
            plies as f64 / n_all as f64,
            1e9 / best / (plies as f64 / n_all as f64)
        );
    }
}
