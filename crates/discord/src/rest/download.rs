//! Fetches files that people attached.
//!
//! The address comes from outside, so only Discord's own file servers are
//! asked, and the server that we talk to anyway. The token stays at home.

use kaiwa_domain::ChatError;
use url::Url;

use super::wire::Wire;

/// Where Discord keeps attachments.
const FILE_SERVERS: [&str; 2] = ["cdn.discordapp.com", "media.discordapp.net"];

/// Fetches a file of at most `max` bytes.
pub(super) async fn download(
    wire: &Wire,
    home: &Url,
    address: &str,
    max: usize,
) -> Result<Vec<u8>, ChatError> {
    let unknown = |reason: String| ChatError::Unknown { reason };
    let address = Url::parse(address)
        .ok()
        .filter(|address| is_file_server(home, address))
        .ok_or_else(|| unknown("the file is not at a file server of Discord".to_owned()))?;
    wire.fetch(address, max).await.map_err(unknown)
}

fn is_file_server(home: &Url, address: &Url) -> bool {
    let theirs = address.scheme() == "https"
        && address.port().is_none()
        && address
            .host_str()
            .is_some_and(|host| FILE_SERVERS.contains(&host));
    theirs || address.origin() == home.origin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_file_servers_are_asked() {
        fn check(address: &str, expect: bool) {
            let home = "http://127.0.0.1:7777/api/v10".parse().unwrap();
            let address = address.parse().unwrap();
            assert_eq!(is_file_server(&home, &address), expect, "{address}");
        }
        check(
            "https://cdn.discordapp.com/attachments/1/2/a.png?ex=1",
            true,
        );
        check("https://media.discordapp.net/attachments/1/2/a.png", true);
        check("http://127.0.0.1:7777/cdn/attachments/1/2/a.png", true);
        check("http://cdn.discordapp.com/attachments/1/2/a.png", false);
        check("https://cdn.discordapp.com:8443/a.png", false);
        check("https://cdn.discordapp.com.evil.example/a.png", false);
        check("https://evil.example/cdn.discordapp.com", false);
        check("https://cdn.discordapp.com@evil.example/a.png", false);
        check("http://127.0.0.1:7778/a.png", false);
        check("http://169.254.169.254/latest/meta-data", false);
        check("file:///etc/passwd", false);
    }
}
