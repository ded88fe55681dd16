//! Files that cost as much memory as they can, for as few bytes as they can.

use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// A PNG of one colour with transparency, in sixteen bits, whose colour
/// profile unpacks to `profile` bytes.
pub(crate) fn png(width: u32, height: u32, profile: usize) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |name: &[u8; 4], body: &[u8]| {
        file.extend(u32::try_from(body.len()).unwrap().to_be_bytes());
        let mut sum = Crc::new();
        for part in [name, body] {
            sum.update(part);
            file.extend(part);
        }
        file.extend(sum.sum().to_be_bytes());
    };
    let sizes = [width.to_be_bytes(), height.to_be_bytes()].concat();
    chunk(b"IHDR", &[&*sizes, &[16, 6, 0, 0, 0]].concat());
    if profile > 0 {
        let mut packed = ZlibEncoder::new(b"x\0\0".to_vec(), Compression::best());
        packed.write_all(&vec![0; profile]).unwrap();
        chunk(b"iCCP", &packed.finish().unwrap());
    }
    let mut row = vec![1; 1 + 8 * usize::try_from(width).unwrap()];
    row[0] = 0;
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..height {
        packed.write_all(&row).unwrap();
    }
    chunk(b"IDAT", &packed.finish().unwrap());
    chunk(b"IEND", &[]);
    file
}

/// How a JPEG is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scans {
    Baseline,
    /// Baseline, with a scan for each colour.
    Apart,
    Progressive,
}

/// A grey JPEG of `colours` components in full resolution.
pub(crate) fn jpeg(scans: Scans, colours: u8, width: u16, height: u16) -> Vec<u8> {
    let mut file = vec![0xff, 0xd8];
    let mut segment = |marker: u8, body: &[u8]| {
        file.extend([0xff, marker]);
        file.extend(u16::try_from(body.len() + 2).unwrap().to_be_bytes());
        file.extend(body);
    };
    let mut table = vec![0];
    table.extend([1; 64]);
    segment(0xdb, &table);
    let mut frame = vec![8];
    frame.extend(height.to_be_bytes());
    frame.extend(width.to_be_bytes());
    frame.push(colours);
    frame.extend((1..=colours).flat_map(|colour| [colour, 0x11, 0]));
    let marker = if scans == Scans::Progressive {
        0xc2
    } else {
        0xc0
    };
    segment(marker, &frame);
    // For the first coefficient of a block, 0 is "as before" and 10 a step of
    // one, up or down; for the others, 0 is "no more".
    segment(
        0xc4,
        &[0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    );
    segment(
        0xc4,
        &[0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    );
    let blocks = usize::from(width).div_ceil(8) * usize::from(height).div_ceil(8);
    // A step up in every other block, and down again: no page stays untouched.
    let steps: &[u8] = match scans {
        Scans::Progressive => &[0b1011_0010, 0b1100_1011, 0b0010_1100],
        _ => &[0b1010_1000],
    };
    let bits = if scans == Scans::Progressive { 3 } else { 4 };
    let parts: Vec<Vec<u8>> = match scans {
        Scans::Apart => (1..=colours).map(|colour| vec![colour]).collect(),
        _ => vec![(1..=colours).collect()],
    };
    for part in parts {
        let mut scan = vec![u8::try_from(part.len()).unwrap()];
        scan.extend(part.iter().flat_map(|colour| [*colour, 0]));
        let last = if scans == Scans::Progressive { 0 } else { 63 };
        scan.extend([0, last, 0]);
        file.extend([0xff, 0xda]);
        file.extend(u16::try_from(scan.len() + 2).unwrap().to_be_bytes());
        file.extend(scan);
        let bytes = (blocks * part.len() * bits).div_ceil(8);
        file.extend(steps.iter().cycle().take(bytes));
    }
    file.extend([0xff, 0xd9]);
    file
}

/// A GIF of one colour whose frame leaves a line of its canvas free.
pub(crate) fn gif(width: u16, height: u16) -> Vec<u8> {
    let mut file = b"GIF89a".to_vec();
    file.extend(width.to_le_bytes());
    file.extend(height.to_le_bytes());
    file.extend([0x80, 0, 0, 200, 90, 30, 0, 0, 0]);
    file.extend([0x2c, 0, 0, 0, 0]);
    file.extend(width.to_le_bytes());
    file.extend((height - 1).to_le_bytes());
    file.extend([0, 2]);
    // Codes stay three bits long if the table is cleared after every other one.
    let mut bits = Bits::default();
    let mut left = usize::from(width) * usize::from(height - 1);
    while left > 0 {
        bits.put(4, 3);
        for _ in 0..left.min(2) {
            bits.put(0, 3);
        }
        left -= left.min(2);
    }
    bits.put(5, 3);
    for block in bits.bytes().chunks(255) {
        file.push(u8::try_from(block.len()).unwrap());
        file.extend(block);
    }
    file.extend([0, 0x3b]);
    file
}

fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut chunk = name.to_vec();
    chunk.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
    chunk.extend(body);
    if body.len() % 2 == 1 {
        chunk.push(0);
    }
    chunk
}

fn riff(chunks: &[Vec<u8>]) -> Vec<u8> {
    let mut body = b"WEBP".to_vec();
    body.extend(chunks.concat());
    chunk(b"RIFF", &body)
}

/// Three bytes, as WebP writes sizes.
fn less_one(size: u32) -> [u8; 3] {
    let [a, b, c, _] = (size - 1).to_le_bytes();
    [a, b, c]
}

fn extended(flags: u8, width: u32, height: u32) -> Vec<u8> {
    let mut body = vec![flags, 0, 0, 0];
    body.extend(less_one(width));
    body.extend(less_one(height));
    chunk(b"VP8X", &body)
}

/// A lossless picture of one colour.
fn lossless(width: u32, height: u32) -> Vec<u8> {
    let mut bits = lossless_head(width, height);
    // No groups of tables, and every table has one symbol.
    bits.put(0, 1);
    for symbol in [200, 90, 30, 255, 0] {
        only(&mut bits, symbol);
    }
    let mut body = bits.bytes();
    body.extend([0; 16]);
    chunk(b"VP8L", &body)
}

/// Up to where it says whether there are groups of tables: no transparency,
/// no transform, no colour cache.
fn lossless_head(width: u32, height: u32) -> Bits {
    let mut bits = Bits::default();
    bits.put(0x2f, 8);
    bits.put(width - 1, 14);
    bits.put(height - 1, 14);
    bits.put(0, 1 + 3 + 1 + 1);
    bits
}

/// A table of one symbol, which takes no bits to name.
fn only(bits: &mut Bits, symbol: u8) {
    bits.put(0b101, 3);
    bits.put(u32::from(symbol), 8);
}

pub(crate) fn lossless_webp(width: u32, height: u32) -> Vec<u8> {
    riff(&[lossless(width, height)])
}

/// An animation of one lossless frame.
pub(crate) fn animated_webp(width: u32, height: u32) -> Vec<u8> {
    let mut frame = vec![0; 6];
    frame.extend(less_one(width));
    frame.extend(less_one(height));
    frame.extend([0; 4]);
    frame.extend(lossless(width, height));
    riff(&[
        extended(0b10, width, height),
        chunk(b"ANIM", &[0; 6]),
        chunk(b"ANMF", &frame),
    ])
}

/// A lossy picture. Zeros decode to something grey.
fn lossy(width: u16, height: u16) -> Vec<u8> {
    let blocks = usize::from(width).div_ceil(16) * usize::from(height).div_ceil(16);
    // The length of the first part has 19 bits.
    let (first, second) = ((blocks * 4 + 1024).min((1 << 19) - 1), blocks * 4 + 1024);
    let tag = u32::try_from(first).unwrap() << 5 | 1 << 4;
    let mut body = tag.to_le_bytes()[..3].to_vec();
    body.extend([0x9d, 0x01, 0x2a]);
    body.extend(width.to_le_bytes());
    body.extend(height.to_le_bytes());
    body.extend(vec![0; first + second]);
    chunk(b"VP8 ", &body)
}

pub(crate) fn lossy_webp(width: u16, height: u16) -> Vec<u8> {
    riff(&[lossy(width, height)])
}

/// A lossy picture with lossless transparency.
pub(crate) fn lossy_webp_with_alpha(width: u16, height: u16) -> Vec<u8> {
    let (w, h) = (u32::from(width), u32::from(height));
    // The bare stream: without the chunk's head, the signature and the sizes.
    let mut alpha = vec![1];
    alpha.extend(&lossless(w, h)[8 + 5..]);
    riff(&[
        extended(0b1_0000, w, h),
        chunk(b"ALPH", &alpha),
        lossy(width, height),
    ])
}

/// A lossless picture with `groups` sets of code tables, each as large as it
/// can be.
pub(crate) fn webp_with_tables(groups: u16) -> Vec<u8> {
    let mut bits = lossless_head(1024, 1024);
    // An image says which group is where, for each block of four by four. It
    // is of one colour: the last group, in red and green.
    bits.put(1, 1);
    bits.put(0, 3);
    let [high, low] = (groups - 1).to_be_bytes();
    bits.put(0, 1);
    for symbol in [low, high, 0, 0, 0] {
        only(&mut bits, symbol);
    }
    for _ in 0..groups {
        for _ in 0..5 {
            deep_table(&mut bits);
        }
    }
    let mut body = bits.bytes();
    body.extend([0; 64]);
    riff(&[chunk(b"VP8L", &body)])
}

/// Codes of the lengths 1 to 10: a table of 1024 entries.
fn deep_table(bits: &mut Bits) {
    // In which order the codes of lengths are described. The lengths 0 to 15
    // have codes of four bits, the repetitions 16 to 18 have none.
    const ORDER: [u32; 19] = [
        17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ];
    bits.put(0, 1);
    bits.put(19 - 4, 4);
    for length in ORDER {
        bits.put(if length < 16 { 4 } else { 0 }, 3);
    }
    // As many lengths as follow.
    bits.put(1, 1);
    bits.put(1, 3);
    bits.put(11 - 2, 4);
    // The code of a length is its number, the highest bit first.
    for length in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10_u32] {
        bits.put(length.reverse_bits() >> 28, 4);
    }
}

/// Bits, the lowest first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits {
    fn put(&mut self, value: u32, count: u32) {
        self.held |= u64::from(value) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.held.to_le_bytes()[0]);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn bytes(mut self) -> Vec<u8> {
        self.put(0, 7);
        self.bytes
    }
}
