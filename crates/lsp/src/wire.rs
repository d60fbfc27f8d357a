//! The protocol over two streams, as editors speak it with a program they start: a head with the length, then a message.

use crate::Session;
use serde_json::Value;
use std::io::{self, BufRead, Write};

/// A longer message ends the conversation: nobody types so much.
const LONGEST: usize = 16 << 20;

/// Serves an editor until it says goodbye or is gone.
pub fn serve(from: &mut dyn BufRead, to: &mut dyn Write) -> io::Result<()> {
    let mut session = Session::new();
    while let Some(message) = read(from)? {
        let leaves = serde_json::from_str::<Value>(&message).is_ok_and(|message| message["method"] == "exit");
        if leaves {
            break;
        }
        for said in session.hear(&message) {
            write!(to, "Content-Length: {}\r\n\r\n{said}", said.len())?;
        }
        to.flush()?;
    }
    Ok(())
}

/// The next message; none at the end.
fn read(from: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim();
        if line.is_empty() {
            // Empty lines between messages are passed over.
            match length {
                Some(_) => break,
                None => continue,
            }
        }
        if let Some((head, value)) = line.split_once(':')
            && head.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.unwrap_or_default();
    if length > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "The message is longer than 16 MB."));
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
