//! How much memory decoding takes at its peak, measured in a process of its
//! own for each file.
#![cfg(test)]

mod files;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use files::Scans;
use kaiwa_domain::port::Unfit;
use kaiwa_picture::{MAX_BYTES, PEAK_BYTES, fit};

/// Names the file to a process that decodes one.
const FILE: &str = "KAIWA_PICTURE_TO_FIT";

/// The other process: decodes the file it is given, and says how it went and
/// the most memory that it ever had. In this one it does nothing.
#[test]
fn decodes_the_file_it_is_given() {
    let Some(path) = std::env::var_os(FILE) else {
        return;
    };
    let file = fs::read(path).unwrap();
    let outcome = match fit(&file) {
        Ok(_) => "seen",
        Err(Unfit::TooLarge) => "too large",
        Err(Unfit::Unreadable) => "unreadable",
    };
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!(
        "peak:{}:{outcome}:",
        peak.unwrap().trim().trim_end_matches(" kB")
    );
}

/// The outcome and the peak in bytes.
fn measured(name: &str, file: &[u8]) -> (String, u64) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path: PathBuf = folder.join(format!("{name}-{}", std::process::id()));
    fs::write(&path, file).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "decodes_the_file_it_is_given", "--nocapture"])
        .env(FILE, &path)
        .output();
    let _ = fs::remove_file(&path);
    let printed = String::from_utf8(output.unwrap().stdout).unwrap();
    let (_, told) = printed.split_once("peak:").expect("a report");
    let mut told = told.split(':');
    let kilobytes: u64 = told.next().unwrap().parse().unwrap();
    (told.next().unwrap().to_owned(), kilobytes * 1024)
}

#[test]
fn decoding_stays_below_its_ceiling() {
    if !cfg!(target_os = "linux") {
        eprintln!("SKIPPED: peak memory is read from /proc, which this system does not have");
        return;
    }
    let mut failed = Vec::new();
    let mut check = |name: &str, file: Vec<u8>, expect: &str| {
        assert!(file.len() <= MAX_BYTES, "{name} has {} bytes", file.len());
        let (outcome, peak) = measured(name, &file);
        println!(
            "{name}: {} bytes, {outcome}, {} MB",
            file.len(),
            peak / 1_000_000
        );
        if peak > PEAK_BYTES || outcome != expect {
            failed.push(format!("{name}: {outcome}, {} MB", peak / 1_000_000));
        }
    };
    // What costs the most of what is taken; people send less. A file may be
    // as long as it likes beyond its end.
    let long = |mut file: Vec<u8>| {
        file.resize(MAX_BYTES, 0);
        file
    };
    check(
        "photo",
        long(files::jpeg(Scans::Baseline, 3, 8192, 5100)),
        "seen",
    );
    check(
        "progressive",
        long(files::jpeg(Scans::Progressive, 3, 4096, 3392)),
        "seen",
    );
    check(
        "four-colours",
        files::jpeg(Scans::Progressive, 4, 4096, 2784),
        "seen",
    );
    check("apart", files::jpeg(Scans::Apart, 3, 4096, 3392), "seen");
    check("deep-png", long(files::png(4096, 3800, 0)), "seen");
    check("profile", files::png(2048, 2048, 120_000_000), "seen");
    check("lossless-webp", files::lossless_webp(4096, 3740), "seen");
    check("lossy-webp", files::lossy_webp(5000, 5000), "seen");
    check("alpha", files::lossy_webp_with_alpha(2000, 2000), "seen");
    check("animation", files::animated_webp(2700, 2700), "seen");
    check("gif", long(files::gif(4096, 3800)), "seen");
    check("tables", files::webp_with_tables(4600), "unreadable");

    // What would cost more.
    check(
        "progressive",
        files::jpeg(Scans::Progressive, 3, 8192, 8192),
        "too large",
    );
    check(
        "apart",
        files::jpeg(Scans::Apart, 3, 8192, 8192),
        "too large",
    );
    check("deep-png", files::png(4096, 4096, 0), "too large");
    check(
        "lossless-webp",
        files::lossless_webp(8192, 8192),
        "too large",
    );
    check("lossy-webp", files::lossy_webp(8192, 8192), "too large");
    check(
        "alpha",
        files::lossy_webp_with_alpha(4096, 4096),
        "too large",
    );
    check("animation", files::animated_webp(4096, 4096), "too large");
    check("tables", files::webp_with_tables(30_000), "too large");
    assert!(failed.is_empty(), "{failed:#?}");
}
