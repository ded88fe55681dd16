//! Transport compression: one stream for each connection, flushed after each
//! message.

use std::io::{self, Write};

use axum::extract::ws::{Message, Utf8Bytes};
use flate2::{Compression, write::ZlibEncoder};

/// Turns a payload into the frame that the client asked for.
pub(crate) enum Encoder {
    Plain,
    Zlib(ZlibEncoder<Vec<u8>>),
    Zstd(zstd::stream::write::Encoder<'static, Vec<u8>>),
}

impl Encoder {
    /// The encoder that the `compress` query parameter names.
    pub(crate) fn named(compress: Option<&str>) -> Option<Self> {
        match compress {
            None | Some("") => Some(Self::Plain),
            Some("zlib-stream") => Some(Self::Zlib(ZlibEncoder::new(
                Vec::new(),
                Compression::fast(),
            ))),
            Some("zstd-stream") => {
                let encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).ok()?;
                Some(Self::Zstd(encoder))
            }
            Some(_) => None,
        }
    }

    pub(crate) fn encode(&mut self, payload: &Utf8Bytes) -> io::Result<Message> {
        match self {
            Self::Plain => Ok(Message::Text(payload.clone())),
            Self::Zlib(encoder) => {
                encoder.write_all(payload.as_bytes())?;
                encoder.flush()?;
                Ok(Message::binary(std::mem::take(encoder.get_mut())))
            }
            Self::Zstd(encoder) => {
                encoder.write_all(payload.as_bytes())?;
                encoder.flush()?;
                Ok(Message::binary(std::mem::take(encoder.get_mut())))
            }
        }
    }
}
