//! Sessions of the server by id. Their number is limited; a session that nobody has used for an hour makes room for a new one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::config::Config;
use crate::error::{ApiError, ApiResult};
use crate::lock::lock;
use crate::session::Session;
use crate::token;

/// A session that nobody has used for this time makes room for a new one.
const UNUSED: Duration = Duration::from_secs(3600);

/// The sessions.
pub(crate) struct Sessions {
    config: Arc<Config>,
    by_id: Mutex<HashMap<String, Arc<Session>>>,
}

impl Sessions {
    pub(crate) fn new(config: Arc<Config>) -> Self {
        Self { config, by_id: Mutex::new(HashMap::new()) }
    }

    /// Creates a session and returns its id.
    pub(crate) fn create(&self) -> ApiResult<String> {
        let mut by_id = lock(&self.by_id);
        if by_id.len() >= self.config.sessions {
            let longest = by_id.iter().max_by_key(|(_, session)| session.idle());
            let unused = longest.filter(|(_, session)| session.idle() >= UNUSED).map(|(id, _)| id.clone());
            let sentence =
                || format!("there are {} sessions already; close a page that you do not need", by_id.len());
            let unused = unused.ok_or_else(|| ApiError::too_many(sentence()))?;
            if let Some(session) = by_id.remove(&unused) {
                session.close();
            }
        }
        let id = token::random();
        let session = Session::new(self.config.clone()).map_err(ApiError::engine_failed)?;
        by_id.insert(id.clone(), Arc::new(session));
        Ok(id)
    }

    /// The session of this id, which is now used.
    pub(crate) fn get(&self, id: &str) -> ApiResult<Arc<Session>> {
        let session = lock(&self.by_id).get(id).cloned().ok_or_else(ApiError::no_session)?;
        session.notice();
        Ok(session)
    }

    /// Ends a session.
    pub(crate) fn close(&self, id: &str) -> ApiResult<()> {
        let session = lock(&self.by_id).remove(id).ok_or_else(ApiError::no_session)?;
        session.close();
        Ok(())
    }

    /// Ends all sessions.
    pub(crate) fn close_all(&self) {
        for (_, session) in lock(&self.by_id).drain() {
            session.close();
        }
    }
}
