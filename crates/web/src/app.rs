//! Application state: what all requests share.

use std::sync::Arc;

use rukh_knowledge::openings::Openings;

use crate::config::Config;
use crate::sessions::Sessions;

/// The state of the server.
pub(crate) struct App {
    pub(crate) config: Arc<Config>,
    pub(crate) sessions: Sessions,
    pub(crate) openings: Openings,
    pub(crate) token: String,
}

impl App {
    pub(crate) fn new(config: Config, token: String) -> Self {
        let config = Arc::new(config);
        Self { sessions: Sessions::new(config.clone()), config, openings: Openings::new(), token }
    }
}
