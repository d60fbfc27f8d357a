#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| houserules_net::targets::changes(data));
