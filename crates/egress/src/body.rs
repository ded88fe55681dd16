//! What came back, unpacked within bounds.

use std::io::{self, Write};

use flate2::write::{MultiGzDecoder, ZlibDecoder};

use crate::EgressError;

/// How an answer is packed; we ask for gzip.
pub(crate) const ACCEPTED: &str = "gzip";

/// Takes an answer piece by piece, and keeps at most so much of it.
pub(crate) enum Unpacker {
    Plain(BoundedBuffer),
    Gzip(MultiGzDecoder<BoundedBuffer>),
    Zlib(ZlibDecoder<BoundedBuffer>),
}

impl Unpacker {
    /// For the encoding that the answer's head names.
    pub(crate) fn new(encoding: Option<&str>, most: usize) -> Result<Self, EgressError> {
        let kept = BoundedBuffer {
            bytes: Vec::new(),
            most,
        };
        match encoding.map(str::trim) {
            None | Some("" | "identity") => Ok(Self::Plain(kept)),
            Some("gzip" | "x-gzip") => Ok(Self::Gzip(MultiGzDecoder::new(kept))),
            Some("deflate") => Ok(Self::Zlib(ZlibDecoder::new(kept))),
            Some(_) => Err(EgressError::Unreadable),
        }
    }

    pub(crate) fn push(&mut self, piece: &[u8]) -> Result<(), EgressError> {
        let written = match self {
            Self::Plain(kept) => kept.write_all(piece),
            Self::Gzip(unpacking) => unpacking.write_all(piece),
            Self::Zlib(unpacking) => unpacking.write_all(piece),
        };
        written.map_err(|error| cause(&error))
    }

    pub(crate) fn finish(self) -> Result<Vec<u8>, EgressError> {
        let kept = match self {
            Self::Plain(kept) => Ok(kept),
            Self::Gzip(unpacking) => unpacking.finish(),
            Self::Zlib(unpacking) => unpacking.finish(),
        };
        kept.map(|kept| kept.bytes).map_err(|error| cause(&error))
    }
}

fn cause(error: &io::Error) -> EgressError {
    match error.kind() {
        io::ErrorKind::FileTooLarge => EgressError::TooLarge,
        _ => EgressError::Unreadable,
    }
}

/// Bytes up to a bound.
pub(crate) struct BoundedBuffer {
    bytes: Vec<u8>,
    most: usize,
}

impl Write for BoundedBuffer {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + piece.len() > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};

    fn unpacked(
        encoding: Option<&str>,
        packed: &[u8],
        most: usize,
    ) -> Result<Vec<u8>, EgressError> {
        let mut unpacker = Unpacker::new(encoding, most)?;
        for piece in packed.chunks(7) {
            unpacker.push(piece)?;
        }
        unpacker.finish()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(b"tea").unwrap();
        let zlib = zlib.finish().unwrap();
        for (encoding, packed) in [
            (None, b"tea".to_vec()),
            (Some("identity"), b"tea".to_vec()),
            (Some("gzip"), gzip(b"tea")),
            (Some("deflate"), zlib),
        ] {
            assert_eq!(unpacked(encoding, &packed, 3).unwrap(), b"tea");
            assert_eq!(unpacked(encoding, &packed, 2), Err(EgressError::TooLarge));
        }
    }

    #[test]
    fn a_bomb_does_not_go_off() {
        let bomb = gzip(&vec![0; 64 << 20]);
        assert!(bomb.len() < 100_000);
        assert_eq!(
            unpacked(Some("gzip"), &bomb, 1 << 20),
            Err(EgressError::TooLarge)
        );
    }

    #[test]
    fn what_cannot_be_unpacked_is_told() {
        for (encoding, packed) in [("gzip", b"tea".to_vec()), ("br", b"tea".to_vec())] {
            assert_eq!(
                unpacked(Some(encoding), &packed, 99),
                Err(EgressError::Unreadable)
            );
        }
        let mut cut = gzip(&(0..=255).cycle().take(9000).collect::<Vec<u8>>());
        cut.truncate(cut.len() / 2);
        assert_eq!(
            unpacked(Some("gzip"), &cut, 9999),
            Err(EgressError::Unreadable)
        );
    }
}
