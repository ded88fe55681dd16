//! Everything that may lead astray, against a resolver and a server of our own.

use super::*;
use axum::Router;
use axum::extract::{Path, Query};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, post};
use flate2::Compression;
use flate2::write::GzEncoder;
use kaiwa_domain::port::Pending;
use kaiwa_domain::{Moment, Timestamp};
use secrecy::SecretString;
use std::collections::HashMap;
use std::io::{self, Write};
use std::net::IpAddr;
use std::sync::Mutex;
use tokio::net::TcpListener;

/// A clock that only waits.
struct Waiting;

impl Clock for Waiting {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(0)
    }

    fn moment(&self) -> Moment {
        Moment::default()
    }

    fn sleep(&self, duration: Duration) -> Pending<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}

/// Knows what the test says, and counts what it is asked.
#[derive(Default)]
struct Names {
    known: HashMap<&'static str, Vec<Vec<IpAddr>>>,
    asked: Mutex<HashMap<String, usize>>,
}

impl Names {
    /// A host whose addresses are another list with every question; the last
    /// one stays.
    fn with(mut self, host: &'static str, answers: &[&[&str]]) -> Self {
        let parse = |list: &&[&str]| list.iter().map(|it| it.parse().unwrap()).collect();
        self.known.insert(host, answers.iter().map(parse).collect());
        self
    }

    fn asked(&self, host: &str) -> usize {
        self.asked.lock().unwrap().get(host).copied().unwrap_or(0)
    }
}

impl HostResolver for Names {
    fn lookup<'a>(&'a self, host: &'a str) -> Pending<'a, io::Result<Vec<IpAddr>>> {
        let mut asked = self.asked.lock().unwrap();
        let times = asked.entry(host.to_owned()).or_default();
        *times += 1;
        let answers = self.known.get(host);
        let answer = answers.and_then(|all| all.get(*times - 1).or(all.last()));
        let answer = answer.cloned().ok_or(io::ErrorKind::NotFound.into());
        Box::pin(std::future::ready(answer))
    }
}

fn egress(names: Names) -> Egress {
    Egress::new(Arc::new(names), Arc::new(Waiting)).unwrap()
}

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

/// What is said about an address before anything is sent.
async fn refused(egress: &Egress, address: &str) -> Option<Forbidden> {
    let checked = egress.guard.check(&url(address), false).await;
    match checked {
        Err(EgressError::Forbidden(why)) => Some(why),
        Ok(_) => None,
        Err(other) => panic!("{address}: {other:?}"),
    }
}

#[tokio::test]
async fn addresses_that_lead_nowhere_public_are_refused() {
    let egress = egress(
        Names::default()
            .with("tea.example", &[&["93.184.216.34", "2606:4700::1"]])
            .with("tea.example.", &[&["93.184.216.34"]])
            .with("localhost", &[&["127.0.0.1", "::1"]])
            .with("inside.example", &[&["10.1.2.3"]])
            .with("mixed.example", &[&["93.184.216.34", "192.168.0.1"]])
            .with("mixed6.example", &[&["2606:4700::1", "fd00::1"]])
            .with("metadata.example", &[&["169.254.169.254"]])
            .with("mapped.example", &[&["::ffff:127.0.0.1"]])
            .with("nat64.example", &[&["64:ff9b::10.0.0.1"]])
            .with("nat64-public.example", &[&["64:ff9b::93.184.216.34"]])
            .with("nat64-local.example", &[&["64:ff9b:1::1"]])
            .with("6to4.example", &[&["2002:7f00:1::1"]])
            .with("teredo.example", &[&["2001:0:53aa:64c::1"]])
            .with("linklocal.example", &[&["fe80::1"]])
            .with("cgnat.example", &[&["100.64.0.1"]])
            .with("multicast.example", &[&["224.0.0.251"]])
            .with("zero.example", &[&["0.0.0.0"]])
            .with("127.0.0.1.nip.example", &[&["127.0.0.1"]])
            .with("xn--r8jz45g.example", &[&["93.184.216.34"]]),
    );
    for fine in [
        "http://tea.example/",
        "https://tea.example/leaf?x=1#y",
        "https://tea.example:443/",
        "http://tea.example:80/",
        "http://TEA.example./",
        "https://93.184.216.34/",
        "http://[2606:4700::1]/",
        "http://nat64-public.example/",
        "http://例え.example/",
    ] {
        assert_eq!(refused(&egress, fine).await, None, "{fine}");
    }
    let at = |address: &str| Forbidden::Address(address.parse().unwrap());
    for (address, expected) in [
        // Not the web at all.
        ("ftp://tea.example/", Forbidden::Scheme),
        ("file:///etc/passwd", Forbidden::Scheme),
        ("gopher://tea.example/", Forbidden::Scheme),
        ("data:text/plain,tea", Forbidden::Scheme),
        ("javascript:alert(1)", Forbidden::Scheme),
        ("ws://tea.example/", Forbidden::Scheme),
        ("unix:/run/docker.sock", Forbidden::Scheme),
        // Who is meant is not who stands first.
        ("http://user@tea.example/", Forbidden::Credentials),
        ("http://user:pass@tea.example/", Forbidden::Credentials),
        ("http://tea.example@10.0.0.1/", Forbidden::Credentials),
        ("http://:pass@tea.example/", Forbidden::Credentials),
        // Other things than the web.
        ("http://tea.example:22/", Forbidden::Port(22)),
        ("http://tea.example:8080/", Forbidden::Port(8080)),
        ("https://tea.example:6379/", Forbidden::Port(6379)),
        ("http://93.184.216.34:11211/", Forbidden::Port(11211)),
        // IPv4 in all its spellings.
        ("http://127.0.0.1/", at("127.0.0.1")),
        ("http://127.1/", at("127.0.0.1")),
        ("http://127.0.1/", at("127.0.0.1")),
        ("http://2130706433/", at("127.0.0.1")),
        ("http://0x7f000001/", at("127.0.0.1")),
        ("http://0x7f.0.0.1/", at("127.0.0.1")),
        ("http://0x7f.1/", at("127.0.0.1")),
        ("http://017700000001/", at("127.0.0.1")),
        ("http://0177.0.0.1/", at("127.0.0.1")),
        ("http://0177.0x0.0.1/", at("127.0.0.1")),
        ("http://127.0.0.1./", at("127.0.0.1")),
        ("http://%31%32%37.0.0.1/", at("127.0.0.1")),
        ("http://１２７.０.０.１/", at("127.0.0.1")),
        ("http://127。0。0。1/", at("127.0.0.1")),
        ("http:\\\\127.0.0.1\\x", at("127.0.0.1")),
        ("http:///127.0.0.1/", at("127.0.0.1")),
        ("http://0/", at("0.0.0.0")),
        ("http://0.0.0.0/", at("0.0.0.0")),
        ("http://10.0.0.1/", at("10.0.0.1")),
        ("http://167772161/", at("10.0.0.1")),
        ("http://012.0.0.1/", at("10.0.0.1")),
        ("http://172.16.5.4/", at("172.16.5.4")),
        ("http://192.168.1.1/", at("192.168.1.1")),
        ("http://0xc0a80101/", at("192.168.1.1")),
        (
            "http://169.254.169.254/latest/meta-data/",
            at("169.254.169.254"),
        ),
        ("http://2852039166/", at("169.254.169.254")),
        ("http://0xa9fea9fe/", at("169.254.169.254")),
        ("http://100.100.100.200/", at("100.100.100.200")),
        ("http://198.18.0.1/", at("198.18.0.1")),
        ("http://255.255.255.255/", at("255.255.255.255")),
        // IPv6, and IPv4 inside of it.
        ("http://[::1]/", at("::1")),
        ("http://[0:0:0:0:0:0:0:1]/", at("::1")),
        ("http://[::]/", at("::")),
        ("http://[::127.0.0.1]/", at("::127.0.0.1")),
        ("http://[::ffff:127.0.0.1]/", at("::ffff:127.0.0.1")),
        ("http://[::ffff:7f00:1]/", at("::ffff:127.0.0.1")),
        ("http://[::ffff:a9fe:a9fe]/", at("::ffff:169.254.169.254")),
        ("http://[64:ff9b::7f00:1]/", at("64:ff9b::7f00:1")),
        ("http://[64:ff9b:1::808:808]/", at("64:ff9b:1::808:808")),
        ("http://[2002:a9fe:a9fe::1]/", at("2002:a9fe:a9fe::1")),
        ("http://[2001:0:53aa:64c::1]/", at("2001:0:53aa:64c::1")),
        ("http://[fd00:ec2::254]/", at("fd00:ec2::254")),
        ("http://[fe80::1]/", at("fe80::1")),
        ("http://[ff02::1]/", at("ff02::1")),
        // Names of them.
        ("http://localhost/", at("127.0.0.1")),
        ("http://LOCALHOST/", at("127.0.0.1")),
        ("http://inside.example/", at("10.1.2.3")),
        ("http://mixed.example/", at("192.168.0.1")),
        ("http://mixed6.example/", at("fd00::1")),
        ("http://metadata.example/", at("169.254.169.254")),
        ("http://mapped.example/", at("::ffff:127.0.0.1")),
        ("http://nat64.example/", at("64:ff9b::a00:1")),
        ("http://nat64-local.example/", at("64:ff9b:1::1")),
        ("http://6to4.example/", at("2002:7f00:1::1")),
        ("http://teredo.example/", at("2001:0:53aa:64c::1")),
        ("http://linklocal.example/", at("fe80::1")),
        ("http://cgnat.example/", at("100.64.0.1")),
        ("http://multicast.example/", at("224.0.0.251")),
        ("http://zero.example/", at("0.0.0.0")),
        ("http://127.0.0.1.nip.example/", at("127.0.0.1")),
    ] {
        assert_eq!(refused(&egress, address).await, Some(expected), "{address}");
    }
}

/// A server with a page, and many ways to be led away from it.
async fn server() -> SocketAddr {
    let router = Router::new()
        .route("/page", get(async || "tea"))
        .route(
            "/to",
            get(async |Query(query): Query<HashMap<String, String>>| {
                let code = query
                    .get("code")
                    .and_then(|it| it.parse().ok())
                    .unwrap_or(302);
                let status = StatusCode::from_u16(code).unwrap();
                (status, [("location", query["place"].clone())]).into_response()
            }),
        )
        .route(
            "/hop/{left}",
            get(async |Path(left): Path<usize>| match left {
                0 => "tea".into_response(),
                _ => Redirect::temporary(&format!("/hop/{}", left - 1)).into_response(),
            }),
        )
        .route("/loop", get(async || Redirect::temporary("/loop")))
        .route(
            "/headers",
            get(async |headers: HeaderMap| {
                let names: Vec<&str> = headers.keys().map(|it| it.as_str()).collect();
                names.join(" ")
            }),
        )
        .route("/posted", post(async |body: String| body))
        .route("/posted-away", post(async || Redirect::temporary("/page")))
        .route("/large", get(async || "x".repeat(100_000)))
        .route(
            "/bomb",
            get(async || {
                let mut packer = GzEncoder::new(Vec::new(), Compression::best());
                packer.write_all(&vec![0; 20 << 20]).unwrap();
                ([("content-encoding", "gzip")], packer.finish().unwrap())
            }),
        )
        .route(
            "/packed",
            get(async || {
                let mut packer = GzEncoder::new(Vec::new(), Compression::best());
                packer.write_all("お茶".as_bytes()).unwrap();
                let head = [
                    ("content-encoding", "gzip"),
                    ("content-type", "Text/HTML; Charset=\"utf-8\""),
                ];
                (head, packer.finish().unwrap())
            }),
        )
        .route("/missing", get(async || (StatusCode::NOT_FOUND, "no tea")))
        .route(
            "/silent",
            get(async || std::future::pending::<&str>().await),
        );
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    #[expect(clippy::disallowed_methods, reason = "there is no runtime here")]
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

#[tokio::test]
async fn redirects_are_followed_and_checked_each_time() {
    let address = server().await;
    let port = address.port();
    let egress = egress(
        Names::default()
            .with("tea.example", &[&["127.0.0.1"]])
            .with("inside.example", &[&["10.0.0.1"]])
            // Public when it is asked for first, private a moment later.
            .with("rebinding.example", &[&["127.0.0.1"], &["169.254.169.254"]]),
    )
    .allowing(address);
    let base = format!("http://127.0.0.1:{port}");
    let via = |place: &str| {
        let mut url = url(&format!("{base}/to"));
        url.query_pairs_mut().append_pair("place", place);
        url
    };
    let other = format!("http://tea.example:{port}/page");
    let rebinding = format!("http://rebinding.example:{port}/page");
    let twice = via(&other);
    let at = |address: &str| Err(Forbidden::Address(address.parse().unwrap()).into());
    let arrives = |place: &str| Ok(url(place));
    let page = format!("{base}/page");
    for (start, expected) in [
        (url(&page), arrives(&page)),
        (via("/page"), arrives(&page)),
        (via(&page), arrives(&page)),
        (via("page#part"), arrives(&page)),
        (via(&format!("//127.0.0.1:{port}/page")), arrives(&page)),
        (via(&other), arrives(&other)),
        (via(twice.as_str()), arrives(&other)),
        (via(&rebinding), arrives(&rebinding)),
        (via(&rebinding), at("169.254.169.254")),
        (
            url(&format!("{base}/hop/5")),
            arrives(&format!("{base}/hop/0")),
        ),
        (
            url(&format!("{base}/hop/6")),
            Err(EgressError::TooManyRedirects),
        ),
        (
            url(&format!("{base}/loop")),
            Err(EgressError::TooManyRedirects),
        ),
        (via("http://10.0.0.1/"), at("10.0.0.1")),
        (via("//10.0.0.1/"), at("10.0.0.1")),
        (via("http://2130706433/"), at("127.0.0.1")),
        (via("http://inside.example/"), at("10.0.0.1")),
        (via("http://[::ffff:10.0.0.1]/"), at("::ffff:10.0.0.1")),
        (via(via("http://192.168.0.1/").as_str()), at("192.168.0.1")),
        (via("file:///etc/passwd"), Err(Forbidden::Scheme.into())),
        (
            via("http://me:pw@tea.example/"),
            Err(Forbidden::Credentials.into()),
        ),
        // The one address that is allowed is so with its port only.
        (via("http://127.0.0.1/page"), at("127.0.0.1")),
        (via("http://127.0.0.1:1/"), at("127.0.0.1")),
        (via("http://unknown.example/"), Err(EgressError::NoSuchHost)),
    ] {
        let fetched = egress.fetch(WebRequest::get(start.clone())).await;
        if let Ok(response) = &fetched {
            assert_eq!(response.body, b"tea", "{start}");
        }
        assert_eq!(fetched.map(|it| it.url), expected, "{start}");
    }
    for code in [301, 302, 303, 307, 308] {
        let mut start = via(&page);
        start
            .query_pairs_mut()
            .append_pair("code", &code.to_string());
        assert_eq!(
            egress.fetch(WebRequest::get(start)).await.unwrap().status,
            200
        );
    }
}

#[tokio::test]
async fn a_name_is_asked_for_once_and_the_answer_is_kept_to() {
    let address = server().await;
    let names = Arc::new(Names::default().with("tea.example", &[&["127.0.0.1"], &["10.0.0.1"]]));
    let egress = Egress::new(names.clone(), Arc::new(Waiting)).unwrap();
    let egress = egress.allowing(address);
    let page = url(&format!("http://tea.example:{}/page", address.port()));
    let fetched = egress.fetch(WebRequest::get(page.clone())).await.unwrap();
    assert_eq!(fetched.body, b"tea");
    assert_eq!(names.asked("tea.example"), 1);
    let again = egress.fetch(WebRequest::get(page)).await;
    let expected = Forbidden::Address("10.0.0.1".parse().unwrap());
    assert_eq!(again, Err(expected.into()));
}

#[tokio::test]
async fn answers_are_bounded_in_size_and_time() {
    let address = server().await;
    let egress = egress(Names::default()).allowing(address);
    let at = |path: &str| WebRequest::get(url(&format!("http://{address}{path}")));
    let large = egress.fetch(at("/large").at_most(100_000)).await.unwrap();
    assert_eq!(large.body.len(), 100_000);
    for (request, expected) in [
        (at("/large").at_most(99_999), EgressError::TooLarge),
        (at("/bomb").at_most(1 << 20), EgressError::TooLarge),
        (
            at("/silent").within(Duration::from_millis(50)),
            EgressError::TooSlow,
        ),
    ] {
        let fetched = egress.fetch(request).await.map(|it| it.body.len());
        assert_eq!(fetched, Err(expected));
    }
    let packed = egress.fetch(at("/packed")).await.unwrap();
    assert_eq!(packed.body, "お茶".as_bytes());
    assert_eq!(packed.content_type, "text/html");
    assert_eq!(packed.charset.as_deref(), Some("utf-8"));
    let missing = egress.fetch(at("/missing")).await.unwrap();
    assert_eq!(
        (missing.status, &*missing.body),
        (404, b"no tea".as_slice())
    );
}

#[tokio::test]
async fn nothing_goes_along_that_was_not_asked_for() {
    let address = server().await;
    let port = address.port();
    let names = Names::default().with("tea.example", &[&["127.0.0.1"]]);
    let egress = egress(names).allowing(address);
    let key = SecretString::from("secret".to_owned());
    let keyed = |place: &str| {
        let request = WebRequest::get(url(&format!("http://127.0.0.1:{port}{place}")));
        request.with_key("x-key", "", &key).accepting("text/plain")
    };
    let headers = async |request| {
        let response = egress.fetch(request).await.unwrap();
        String::from_utf8(response.body).unwrap()
    };
    let own = headers(keyed("/headers")).await;
    let mut sent: Vec<&str> = own.split(' ').collect();
    sent.sort_unstable();
    let expected = "accept accept-encoding accept-language host user-agent x-key";
    assert_eq!(sent.join(" "), expected);
    let near = headers(keyed("/to?place=/headers")).await;
    assert!(near.contains("x-key"), "{near}");
    let away = format!("/to?place=http://tea.example:{port}/headers");
    let away = headers(keyed(&away)).await;
    assert!(!away.contains("x-key"), "{away}");
    assert!(
        !away.contains("referer") && !away.contains("cookie"),
        "{away}"
    );
    assert!(!format!("{:?}", keyed("/")).contains("secret"));
}

#[tokio::test]
async fn a_server_of_the_operators_may_be_anywhere_and_leads_nowhere() {
    let address = server().await;
    let port = address.port();
    let egress = egress(Names::default().with("searx.lan", &[&["127.0.0.1"]]));
    let at = |path: &str| WebRequest::get(url(&format!("http://searx.lan:{port}{path}")));
    let refused = egress.fetch(at("/page")).await;
    assert_eq!(refused, Err(Forbidden::Port(port).into()));
    let own = egress.fetch(at("/page").to_own_server()).await.unwrap();
    assert_eq!(own.body, b"tea");
    let away = egress.fetch(at("/to?place=/page").to_own_server()).await;
    assert_eq!(away, Err(EgressError::TooManyRedirects));
    let form = url(&format!("http://searx.lan:{port}/posted"));
    let form = WebRequest::form(form, &[("q", "tea & milk")]).to_own_server();
    assert_eq!(egress.fetch(form).await.unwrap().body, b"q=tea+%26+milk");
    let json = url(&format!("http://searx.lan:{port}/posted-away"));
    let json = WebRequest::json(json, "{}".to_owned()).to_own_server();
    assert_eq!(egress.fetch(json).await, Err(EgressError::TooManyRedirects));
}
