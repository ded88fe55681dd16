//! A story in which the bot may go to the web, of which there is one small
//! library and nothing else.

use std::net::SocketAddr;
use std::sync::Arc;

use kaiwa_actions::{FetchPage, PdfReader, Registry, SearchEngine, WebSearch};
use kaiwa_domain::port::Clock;
use kaiwa_egress::{Egress, SystemResolver};
use kaiwa_runtime::Tasks;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{Story, url};

impl Story {
    /// A tea house whose bot searches the library, and reads its pages; PDFs
    /// with the help of `pdf_program`. Says where the library is.
    pub async fn begin_with_library(pdf_program: &str) -> (Self, SocketAddr) {
        let mut story = Self::without_bot().await;
        let library = story.gets_library(pdf_program).await;
        story.bot_starts().await;
        (story, library)
    }

    /// The bot will search the library, and read its pages. Says where it is.
    pub async fn gets_library(&mut self, pdf_program: &str) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let library = listener.local_addr().expect("an address");
        let serving = kaiwa_understudy::serve_library(listener, CancellationToken::new());
        Tasks::new().spawn("library", serving);
        self.gets_web(&[library], pdf_program, Some(library));
        library
    }

    /// The bot will search with a SearXNG at each of these addresses, and may
    /// read pages at one of them.
    pub fn gets_web(
        &mut self,
        engines: &[SocketAddr],
        pdf_program: &str,
        allowed: Option<SocketAddr>,
    ) {
        let clock: Arc<dyn Clock> = Arc::new(self.clock.clone());
        let egress = Egress::new(Arc::new(SystemResolver), clock.clone()).expect("TLS");
        let egress = allowed.into_iter().fold(egress, Egress::allowing);
        let pdf = PdfReader::new(pdf_program.into(), Vec::new(), clock);
        let engines = engines.iter().map(|address| format!("http://{address}"));
        let engines = engines.map(|address| SearchEngine::searxng(url(&address)));
        let web = Registry::new()
            .with(FetchPage::new(egress.clone(), pdf))
            .with(WebSearch::new(egress, engines.collect()));
        self.actions = std::mem::take(&mut self.actions).with_all(web);
    }
}
