#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| houserules_net::targets::game_file(data));
