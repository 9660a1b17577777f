//! Connections: accepted up to a limit, and closed where the client is too slow. What is answered is unknown here.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Sleep, sleep};

/// The most connections.
const MOST: u32 = 512;
/// The wait after the system has refused a connection.
const REFUSED: Duration = Duration::from_millis(200);

/// The address at which a connection arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalAddress(pub(crate) Option<SocketAddr>);

/// How connections are answered.
#[derive(Clone)]
pub(crate) struct Connections {
    pub(crate) router: Router,
    /// How long a client may take for the head of a request, and for taking any part of an answer.
    pub(crate) patience: Duration,
    pub(crate) end: watch::Receiver<bool>,
}

impl Connections {
    /// Accepts connections until the end, and then gives them `grace` to finish. `on_end` is called between.
    pub(crate) async fn serve(self, listener: TcpListener, grace: Duration, on_end: impl FnOnce()) {
        let permits = Arc::new(Semaphore::new(MOST as usize));
        let mut end = self.end.clone();
        loop {
            // The semaphore is never closed.
            let Ok(permit) = permits.clone().acquire_owned().await else { break };
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => drop(tokio::spawn(self.clone().answer(stream, permit))),
                    Err(_) => sleep(REFUSED).await,
                },
                // An error means that nobody can end the server any more.
                _ = end.wait_for(|&is_over| is_over) => break,
            }
        }
        on_end();
        // Connections that are left are dropped with the runtime.
        let _ = tokio::time::timeout(grace, permits.acquire_many(MOST)).await;
    }

    /// Answers the requests of one connection.
    async fn answer(mut self, stream: TcpStream, _permit: OwnedSemaphorePermit) {
        let address = LocalAddress(stream.local_addr().ok());
        // Small events are sent at once; without the option they only come later.
        let _ = stream.set_nodelay(true);
        let router = TowerToHyperService::new(self.router);
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(address);
            router.call(request)
        });
        let stream = TokioIo::new(TimedStream { stream, patience: self.patience, deadline: None });
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(self.patience);
        let mut connection = pin!(builder.serve_connection(stream, service));
        let is_over = tokio::select! {
            // What a client does wrong ends its own connection only.
            _ = connection.as_mut() => false,
            _ = self.end.wait_for(|&is_over| is_over) => true,
        };
        if is_over {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// A connection whose writes fail when the client takes nothing for too long.
struct TimedStream {
    stream: TcpStream,
    patience: Duration,
    /// When the write that waits fails.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl TimedStream {
    /// Passes on the result of a write; an error if it has waited too long.
    fn in_time<T>(&mut self, context: &mut Context<'_>, result: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.deadline = None;
            return result;
        }
        let patience = self.patience;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(patience)));
        deadline.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, result)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_flush(context);
        self.in_time(context, result)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_shutdown(context);
        self.in_time(context, result)
    }
}
