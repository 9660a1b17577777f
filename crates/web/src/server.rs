//! Server: the listening socket and the threads that answer requests.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::middleware::from_fn_with_state;
use tokio::sync::watch;

use crate::app::App;
use crate::config::Config;
use crate::connections::Connections;
use crate::guard::{self, Guard};
use crate::routes::router;
use crate::token;

/// How many ports after the wanted one are tried.
const PORTS: u16 = 50;
/// The threads that answer requests. They compute nothing that takes long.
const THREADS: usize = 2;
/// What the end of the server waits for.
const GRACE: Duration = Duration::from_secs(2);

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    end: watch::Sender<bool>,
}

/// Ends a server from another thread.
#[derive(Clone, Debug)]
pub struct ServerHandle {
    end: watch::Sender<bool>,
}

impl ServerHandle {
    /// Ends the server: streams and searches stop, and [`Server::run`] returns.
    pub fn stop(&self) {
        self.end.send_replace(true);
    }
}

impl Server {
    /// Listens on a port of this address; if it is in use, on the next free one. Port 0 is any free port.
    ///
    /// Another address than loopback needs [`Config::token`].
    pub fn bind(config: Config, ip: IpAddr, port: u16) -> Result<Self, String> {
        if !ip.is_loopback() && config.token.is_none() {
            return Err(format!("{ip} can be reached from other machines: choose a token with --token"));
        }
        if config.token.as_ref().is_some_and(|token| !is_usable(token)) {
            return Err("a token has 16 to 128 letters and digits".to_owned());
        }
        let listener = listen(ip, port)?;
        listener.set_nonblocking(true).map_err(|error| format!("cannot use the port: {error}"))?;
        let address = listener.local_addr().map_err(|error| format!("cannot use the port: {error}"))?;
        let token = config.token.clone().unwrap_or_else(token::random);
        Ok(Self { listener, address, app: Arc::new(App::new(config, token)), end: watch::Sender::new(false) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The token of this run.
    pub fn token(&self) -> &str {
        &self.app.token
    }

    /// The address for a browser. A token that was chosen is part of it.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            // This machine; others replace it by the address they know.
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => IpAddr::from([127, 0, 0, 1]),
                IpAddr::V6(_) => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
            });
        }
        match &self.app.config.token {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// A handle that ends the server.
    pub fn handle(&self) -> ServerHandle {
        ServerHandle { end: self.end.clone() }
    }

    /// Answers requests until [`ServerHandle::stop`].
    pub fn run(self) -> Result<(), String> {
        let failed = |error: io::Error| format!("the server cannot work: {error}");
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("server")
            .enable_io()
            .enable_time()
            .build()
            .map_err(failed)?;
        let Self { listener, app, end, .. } = self;
        let result = runtime.block_on(serve(listener, app, end.subscribe()));
        runtime.shutdown_timeout(GRACE);
        result.map_err(failed)
    }
}

async fn serve(listener: TcpListener, app: Arc<App>, end: watch::Receiver<bool>) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let guard = Arc::new(Guard { token: app.token.clone(), hands_out_token: app.config.token.is_none() });
    let router = router(app.clone()).layer(from_fn_with_state(guard, guard::check));
    let connections = Connections { router, patience: app.config.patience, end };
    // Streams end with their sessions.
    connections.serve(listener, GRACE, || app.sessions.close_all()).await;
    Ok(())
}

/// Whether a token can stand in an address.
fn is_usable(token: &str) -> bool {
    (16..=128).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn listen(ip: IpAddr, port: u16) -> Result<TcpListener, String> {
    let ports = if port == 0 { 0..=0 } else { port..=port.saturating_add(PORTS) };
    for port in ports {
        match TcpListener::bind((ip, port)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => return Err(format!("cannot listen on {ip}, port {port}: {error}")),
        }
    }
    Err(format!(
        "the ports {port} to {} are in use; choose another one with --port",
        port.saturating_add(PORTS)
    ))
}
