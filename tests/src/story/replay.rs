//! A gateway that brings again what it brought before.

use kaiwa_domain::port::Session;

use super::Story;

impl Story {
    /// The bot dies before it has noted how far it had come, and is started
    /// again: its session is resumed from the beginning.
    pub async fn bot_hears_everything_again(&mut self) {
        self.bot_stops().await;
        let store = kaiwa::open(self.data.path()).await.expect("a database");
        let session = store.load(0).await.expect("a database that can be read");
        let from_the_beginning = Session {
            sequence: 1,
            ..session.expect("a session")
        };
        let saved = store.save(0, Some(from_the_beginning)).await;
        saved.expect("a database that can be written");
        store.close().await.expect("it is closed");
        let resumed = self.resumes();
        self.bot_starts().await;
        assert_eq!(self.resumes(), resumed + 1);
    }
}
