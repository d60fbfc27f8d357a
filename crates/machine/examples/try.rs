use houserules_kernel::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let loaded = houserules_gdl::load(&houserules_gdl::Disk, &args[1]);
    for d in &loaded.diagnostics {
        println!("{}", houserules_gdl::render(d, &loaded.sources, false));
    }
    let mut options = houserules_machine::Options::default();
    let mut depth = 0;
    let mut by = By::Action;
    let mut secs = 0.0;
    let mut it = args[2..].iter();
    while let Some(a) = it.next() {
        match a.as_str() {
            "-v" => options.variants.push(it.next().unwrap().clone()),
            "-s" => {
                let (k, v) = it.next().unwrap().split_once('=').unwrap();
                options.settings.push((k.into(), v.into()))
            }
            "-d" => depth = it.next().unwrap().parse().unwrap(),
            "-t" => by = By::Turn,
            "-p" => secs = it.next().unwrap().parse().unwrap(),
            _ => panic!(),
        }
    }
    let t = std::time::Instant::now();
    let game = match houserules_machine::compile(&loaded.definition, &options) {
        Ok(g) => g,
        Err(ds) => {
            for d in ds {
                println!("{}", houserules_gdl::render(&d, &loaded.sources, false));
            }
            std::process::exit(1)
        }
    };
    let compiled = t.elapsed();
    let mut position = game.open().unwrap();
    let t = std::time::Instant::now();
    if depth > 0 {
        println!("{:?} compile {compiled:?} {:?}", perft(&mut *position, depth, by), t.elapsed());
    }
    if secs > 0.0 {
        let mut g = Generator::new(1);
        let t = std::time::Instant::now();
        let (mut n, mut m) = (0u64, 0u64);
        while if secs >= 100.0 { (n as f64) < secs } else { t.elapsed().as_secs_f64() < secs } {
            let mut p = game.open().unwrap();
            m += p.playout(&mut g, 10000).unwrap();
            n += 1;
        }
        println!("{:.0} playouts/s, {:.1} moves", n as f64 / t.elapsed().as_secs_f64(), m as f64 / n as f64);
    }
}
