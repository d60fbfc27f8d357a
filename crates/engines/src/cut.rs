use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A network that can fail: what comes in at one port goes out to another, as long as it is not cut. Cut, it says nothing and
/// closes nothing, as a network does whose cable is pulled; mended, what was open before is gone.
pub struct Cut {
    address: SocketAddr,
    is_cut: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Cut {
    /// A way to a port of this computer.
    pub fn to(port: u16) -> Result<Self, String> {
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let (is_cut, open) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let (cut, known) = (is_cut.clone(), open.clone());
        // Ends with the process: tests and chores are short.
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let (cut, known) = (cut.clone(), known.clone());
                std::thread::spawn(move || pass(&near, port, &cut, &known));
            }
        });
        Ok(Cut { address, is_cut, open })
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    pub fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
    }

    pub fn mend(&self) {
        for stream in self.open.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // What is closed already needs no closing.
            let _ = stream.shutdown(Shutdown::Both);
        }
        self.is_cut.store(false, Ordering::SeqCst);
    }
}

fn pass(near: &TcpStream, port: u16, cut: &Arc<AtomicBool>, known: &Mutex<Vec<TcpStream>>) {
    while cut.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let Ok(far) = TcpStream::connect(("127.0.0.1", port)) else { return };
    let copy = |stream: &TcpStream| stream.try_clone();
    let (Ok(a), Ok(b), Ok(c), Ok(d)) = (copy(near), copy(&far), copy(near), copy(&far)) else { return };
    known.lock().unwrap_or_else(PoisonError::into_inner).extend([c, d]);
    let other = cut.clone();
    std::thread::spawn(move || flow(&a, &b, &other));
    flow(&far, near, cut);
}

/// What is read while the way is cut is lost, and so is everything after it.
fn flow(from: &TcpStream, to: &TcpStream, cut: &AtomicBool) {
    // Small messages go out at once.
    let _ = to.set_nodelay(true);
    let (mut from, mut to) = (from, to);
    let mut buffer = [0; 16 * 1024];
    let mut is_lost = false;
    while let Ok(n) = from.read(&mut buffer) {
        is_lost |= cut.load(Ordering::SeqCst);
        if is_lost && n > 0 {
            continue;
        }
        if n == 0 || to.write_all(&buffer[..n]).is_err() {
            break;
        }
    }
    if !is_lost {
        let _ = to.shutdown(Shutdown::Both);
    }
}
