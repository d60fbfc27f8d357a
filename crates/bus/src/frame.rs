//! What is sent from one station to another, in bytes.

use bytes::{BufMut, Bytes, BytesMut};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A link begins. The body names the caller, then says what for.
    Open = 0,
    /// The message goes on.
    Part = 1,
    /// The message, or the end of it.
    Whole = 2,
    /// Nothing more comes.
    Close = 3,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    pub kind: Kind,
    pub link: u64,
    /// By whoever called; otherwise by whoever was called.
    pub by_caller: bool,
    /// One more with every frame of this side.
    pub number: u32,
    pub body: Bytes,
}

const HEAD: usize = 14;

impl Frame {
    pub fn write(&self) -> Bytes {
        let mut bytes = BytesMut::with_capacity(HEAD + self.body.len());
        bytes.put_u8(self.kind as u8);
        bytes.put_u8(u8::from(self.by_caller));
        bytes.put_u64_le(self.link);
        bytes.put_u32_le(self.number);
        bytes.put_slice(&self.body);
        bytes.freeze()
    }

    /// None: somebody else's message.
    pub fn read(bytes: &Bytes) -> Option<Self> {
        let head: [u8; HEAD] = bytes.get(..HEAD)?.try_into().ok()?;
        let [kind, by_caller, rest @ ..] = head;
        let kind = match kind {
            0 => Kind::Open,
            1 => Kind::Part,
            2 => Kind::Whole,
            3 => Kind::Close,
            _ => return None,
        };
        let (link, number) = (rest[..8].try_into().ok()?, rest[8..].try_into().ok()?);
        let (link, number) = (u64::from_le_bytes(link), u32::from_le_bytes(number));
        Some(Frame { kind, link, by_caller: by_caller == 1, number, body: bytes.slice(HEAD..) })
    }
}

/// Who calls, and what for.
pub fn opening(caller: &str, head: &[u8]) -> Bytes {
    let mut bytes = BytesMut::with_capacity(1 + caller.len() + head.len());
    bytes.put_u8(caller.len() as u8);
    bytes.put_slice(caller.as_bytes());
    bytes.put_slice(head);
    bytes.freeze()
}

pub fn opened(body: &Bytes) -> Option<(String, Bytes)> {
    let n = usize::from(*body.first()?);
    let caller = std::str::from_utf8(body.get(1..=n)?).ok()?;
    Some((caller.to_owned(), body.slice(1 + n..)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_comes_back_as_it_was_and_anything_else_is_none() {
        let body = opening("station", b"what for");
        let frame = Frame { kind: Kind::Open, link: u64::MAX - 1, by_caller: true, number: 70_000, body };
        let bytes = frame.write();
        assert_eq!(Frame::read(&bytes), Some(frame.clone()));
        assert_eq!(opened(&frame.body), Some(("station".into(), Bytes::from_static(b"what for"))));
        for cut in 0..HEAD {
            assert_eq!(Frame::read(&bytes.slice(..cut)), None);
        }
        assert_eq!(Frame::read(&Bytes::from_static(&[9; 20])), None);
        assert_eq!((opened(&Bytes::new()), opened(&Bytes::from_static(&[200, 65]))), (None, None));
    }
}
