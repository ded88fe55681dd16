//! ZIP archives, as far as cards need them: files by name, stored or deflated.
//!
//! Nothing is unpacked before it is asked for, and then no more than is
//! allowed. What an archive says of itself is only used to find places within
//! the file.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::CardError;

const LOCAL: &[u8; 4] = b"PK\x03\x04";
const CENTRAL: &[u8; 4] = b"PK\x01\x02";
const END: &[u8; 4] = b"PK\x05\x06";
const LARGE_END: &[u8; 4] = b"PK\x06\x06";
const LOCATOR: &[u8; 4] = b"PK\x06\x07";

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// How long the end of an archive is, with the longest remark.
const END_BYTES: usize = 22;
const LONGEST_END: usize = END_BYTES + u16::MAX as usize;

/// How long the end of a large archive is, and what says where it is.
const LARGE_END_BYTES: usize = 56;
const LOCATOR_BYTES: usize = 20;

/// Stands for a number that is told elsewhere.
const LARGE: usize = u32::MAX as usize;

/// How many places are looked at that look like the end.
const ENDS: usize = 8;

/// The most files in an archive.
const FILES: usize = 2_000;

/// The first of January 1980, as archives write it: they all look the same.
const DAY: u16 = 0x21;

/// An archive that is read.
pub(crate) struct Archive<'a> {
    files: Vec<(String, ArchivedFile<'a>)>,
}

#[derive(Clone, Copy)]
struct ArchivedFile<'a> {
    method: u16,
    is_locked: bool,
    checksum: u32,
    packed: &'a [u8],
}

impl<'a> Archive<'a> {
    /// Finds the files of an archive, if it is whole; something may stand
    /// before it. What looks like its end may be part of a remark.
    pub(crate) fn read(file: &'a [u8]) -> Result<Option<Self>, CardError> {
        let from = file.len().saturating_sub(LONGEST_END);
        let tail = file[from..].windows(END.len()).enumerate();
        let ends = tail.filter(|(_, it)| it == END).map(|(at, _)| from + at);
        let ends: Vec<usize> = ends.collect();
        let mut has_more = false;
        let lists = ends.into_iter().rev().take(ENDS);
        for list in lists.filter_map(|end| FileList::before(file, end)) {
            if list.count > FILES {
                has_more = true;
            } else if let Some(files) = list.files(file) {
                return Ok(Some(Self { files }));
            }
        }
        match has_more {
            true => Err(CardError::TooManyFiles { most: FILES }),
            false => Ok(None),
        }
    }

    /// What the files are called.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(name, _)| name.as_str())
    }

    /// A file, if it is there and unpacks to no more than `most` bytes. Its
    /// name may be written in another case.
    pub(crate) fn unpack(&self, name: &str, most: usize) -> Result<Option<Vec<u8>>, CardError> {
        let find = |is: &dyn Fn(&str) -> bool| self.files.iter().find(|(of, _)| is(of));
        let found = find(&|of| of == name).or_else(|| find(&|of| of.eq_ignore_ascii_case(name)));
        let Some((_, file)) = found else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        let limit = most as u64 + 1;
        let unpacked = match file.method {
            STORED => file.packed.take(limit).read_to_end(&mut bytes),
            DEFLATED => DeflateDecoder::new(file.packed)
                .take(limit)
                .read_to_end(&mut bytes),
            _ => {
                return Err(CardError::damaged(format!(
                    "{name} is packed in another way"
                )));
            }
        };
        if bytes.len() > most {
            return Err(CardError::Bomb { most });
        }
        // Some programs say so of what is not.
        if file.is_locked && crc32fast::hash(&bytes) != file.checksum {
            return Err(CardError::Locked);
        }
        unpacked.map_err(|_| CardError::damaged(format!("{name} cannot be unpacked")))?;
        Ok(Some(bytes))
    }
}

/// The list of an archive's files.
struct FileList<'a> {
    count: usize,
    /// How much stands before the archive.
    before: usize,
    bytes: &'a [u8],
}

impl<'a> FileList<'a> {
    /// The list that stands before the end of an archive.
    fn before(file: &'a [u8], end: usize) -> Option<Self> {
        let record = file.get(end..end + END_BYTES)?;
        let small = (
            end,
            usize::from(number16(record, 10)?),
            number32(record, 12)?,
            number32(record, 16)?,
        );
        let (end, count, size, at) = Self::large(file, end).unwrap_or(small);
        let begins = end.checked_sub(size)?;
        // Places are counted from where the archive begins.
        let before = begins.checked_sub(at)?;
        let bytes = file.get(begins..end)?;
        Some(Self {
            count,
            before,
            bytes,
        })
    }

    /// Where a list ends and how many files it has, its size and its place, as
    /// an archive says that may be larger than 4 GB.
    fn large(file: &[u8], end: usize) -> Option<(usize, usize, usize, usize)> {
        let locator = end.checked_sub(LOCATOR_BYTES)?;
        file.get(locator..)?.strip_prefix(LOCATOR)?;
        let at = locator.checked_sub(LARGE_END_BYTES)?;
        let record = file.get(at..)?.strip_prefix(LARGE_END)?;
        let numbers = [28, 36, 44].map(|at| number64(record, at));
        Some((at, numbers[0]?, numbers[1]?, numbers[2]?))
    }

    /// The files, if all of them are there and there is one at least.
    fn files(&self, file: &'a [u8]) -> Option<Vec<(String, ArchivedFile<'a>)>> {
        let mut files = Vec::new();
        let mut list = self.bytes;
        for _ in 0..self.count {
            let (entry, rest) = entry(file, self.before, list)?;
            files.push(entry);
            list = rest;
        }
        (!files.is_empty()).then_some(files)
    }
}

/// The first file of a list, and the rest of the list.
fn entry<'a>(
    file: &'a [u8],
    before: usize,
    list: &'a [u8],
) -> Option<((String, ArchivedFile<'a>), &'a [u8])> {
    let list = list.strip_prefix(CENTRAL)?;
    // All places in it are told without its mark.
    let is_locked = number16(list, 4)? & 1 != 0;
    let method = number16(list, 6)?;
    let lengths = [24, 26, 28].map(|at| number16(list, at).map(usize::from));
    let [name, extra, remark] = [lengths[0]?, lengths[1]?, lengths[2]?];
    let rest = list.get(42..)?;
    let mut large = large_numbers(rest.get(name..name + extra)?);
    let mut number = |at: usize| match number32(list, at)? {
        LARGE => {
            let number = number64(large, 0)?;
            large = &large[8..];
            Some(number)
        }
        number => Some(number),
    };
    let (_, size, at) = (number(20)?, number(16)?, number(38)?);
    let at = before.checked_add(at)?;
    let local = file.get(at..)?.strip_prefix(LOCAL)?;
    let skipped = 26 + usize::from(number16(local, 22)?) + usize::from(number16(local, 24)?);
    let packed = local.get(skipped..skipped.checked_add(size)?)?;
    let name_of = String::from_utf8_lossy(rest.get(..name)?);
    let found = ArchivedFile {
        method,
        is_locked,
        checksum: u32::from_le_bytes(*list.get(12..)?.first_chunk()?),
        packed,
    };
    let rest = rest.get(name + extra + remark..)?;
    Some(((plain_path(&name_of), found), rest))
}

/// The larger numbers of an entry, from what stands beside it.
fn large_numbers(extra: &[u8]) -> &[u8] {
    let mut rest = extra;
    while let (Some(kind), Some(length)) = (number16(rest, 0), number16(rest, 2)) {
        let end = (4 + usize::from(length)).min(rest.len());
        if kind == 1 {
            return &rest[4..end];
        }
        rest = &rest[end..];
    }
    &[]
}

/// A path as most programs write it.
pub(crate) fn plain_path(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut plain = path.as_str();
    while let Some(rest) = plain.strip_prefix("./").or_else(|| plain.strip_prefix('/')) {
        plain = rest;
    }
    plain.to_owned()
}

fn number64(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + 8)?.first_chunk::<8>()?;
    usize::try_from(u64::from_le_bytes(*bytes)).ok()
}

fn number16(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at + 2)?;
    Some(u16::from_le_bytes([bytes[0], bytes[1]]))
}

fn number32(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + 4)?;
    let number = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    usize::try_from(number).ok()
}

/// An archive that is written.
#[derive(Default)]
pub(crate) struct ArchiveWriter {
    file: Vec<u8>,
    list: Vec<u8>,
    count: u16,
}

impl ArchiveWriter {
    /// Puts a file in, packed if that is worth it.
    pub(crate) fn put(&mut self, name: &str, bytes: &[u8]) {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
        let packed = packed.ok().filter(|packed| packed.len() < bytes.len());
        let (method, body) = match &packed {
            Some(packed) => (DEFLATED, packed.as_slice()),
            None => (STORED, bytes),
        };
        let at = number(self.file.len());
        let mut facts = Vec::new();
        // Version 2.0, names in UTF-8.
        for word in [20, 1 << 11, method, 0, DAY] {
            facts.extend_from_slice(&u16::to_le_bytes(word));
        }
        for size in [
            crc32fast::hash(bytes),
            number(body.len()),
            number(bytes.len()),
        ] {
            facts.extend_from_slice(&size.to_le_bytes());
        }
        let name_length = u16::try_from(name.len()).unwrap_or(u16::MAX);
        facts.extend_from_slice(&name_length.to_le_bytes());
        facts.extend_from_slice(&[0; 2]);
        self.file.extend_from_slice(LOCAL);
        self.file.extend_from_slice(&facts);
        self.file.extend_from_slice(name.as_bytes());
        self.file.extend_from_slice(body);
        self.list.extend_from_slice(CENTRAL);
        self.list.extend_from_slice(&u16::to_le_bytes(20));
        self.list.extend_from_slice(&facts);
        self.list.extend_from_slice(&[0; 10]);
        self.list.extend_from_slice(&at.to_le_bytes());
        self.list.extend_from_slice(name.as_bytes());
        self.count += 1;
    }

    /// The archive.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let (at, size) = (number(self.file.len()), number(self.list.len()));
        self.file.append(&mut self.list);
        self.file.extend_from_slice(END);
        self.file.extend_from_slice(&[0; 4]);
        for count in [self.count; 2] {
            self.file.extend_from_slice(&count.to_le_bytes());
        }
        for place in [size, at] {
            self.file.extend_from_slice(&place.to_le_bytes());
        }
        self.file.extend_from_slice(&[0; 2]);
        self.file
    }
}

/// A size as archives write it; a card is far smaller than what fits.
fn number(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out() {
        let mut writer = ArchiveWriter::default();
        let long = vec![b'x'; 10_000];
        writer.put("a/b.txt", &long);
        writer.put("茶.bin", &[1, 2, 3]);
        writer.put("empty", b"");
        let file = writer.finish();
        assert!(file.len() < 1_000, "it is packed");
        for before in ["", "something before it"] {
            let file = [before.as_bytes(), &file].concat();
            let archive = Archive::read(&file).unwrap().unwrap();
            assert_eq!(archive.unpack("a/b.txt", 10_000), Ok(Some(long.clone())));
            assert_eq!(archive.unpack("茶.bin", 3), Ok(Some(vec![1, 2, 3])));
            assert_eq!(archive.unpack("empty", 0), Ok(Some(Vec::new())));
            assert_eq!(archive.unpack("other", 9), Ok(None));
            for most in [0, 9_999] {
                let bomb = archive.unpack("a/b.txt", most);
                assert_eq!(bomb, Err(CardError::Bomb { most }));
            }
            for end in 0..file.len() {
                let cut = Archive::read(&file[..end]).unwrap();
                assert!(cut.is_none(), "cut at {end}");
            }
        }
    }
}
