//! TLS on the port, for clients that are to meet it as on Discord.

use std::{
    io,
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};
use tokio_rustls::{Accept, TlsAcceptor, server::TlsStream};

/// A certificate with its key.
#[derive(Clone, Debug)]
pub struct TlsIdentity {
    config: Arc<ServerConfig>,
}

/// Why a certificate or its key cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}: a certificate and its key as PEM are needed")]
pub struct TlsIdentityError {
    /// Which file is at fault.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: String,
}

impl TlsIdentity {
    /// Reads a certificate, followed by those that sign it if any, and its key.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or the two do not belong together.
    pub fn from_pem_files(certificate: &Path, key: &Path) -> Result<Self, TlsIdentityError> {
        let at = |path: &Path, problem: String| TlsIdentityError {
            path: path.to_owned(),
            problem,
        };
        let chain: Result<Vec<_>, _> =
            CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect);
        let chain = chain.map_err(|error| at(certificate, error.to_string()))?;
        let secret =
            PrivateKeyDer::from_pem_file(key).map_err(|error| at(key, error.to_string()))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| at(certificate, error.to_string()))?
            .with_no_client_auth()
            .with_single_cert(chain, secret)
            .map_err(|error| at(certificate, error.to_string()))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            config: Arc::new(config),
        })
    }

    pub(crate) fn accept(&self, stream: TcpStream) -> ClientStream {
        let acceptor = TlsAcceptor::from(Arc::clone(&self.config));
        ClientStream::Accepting(Box::new(acceptor.accept(stream)))
    }
}

/// A client's bytes, after TLS where there is any. The handshake is made by the
/// first who reads or writes, so that accepting a connection waits for nobody.
pub(crate) enum ClientStream {
    Plain(TcpStream),
    Accepting(Box<Accept<TcpStream>>),
    Secure(Box<TlsStream<TcpStream>>),
    Failed,
}

trait Duplex: AsyncRead + AsyncWrite + Unpin {}
impl<T: AsyncRead + AsyncWrite + Unpin> Duplex for T {}

impl ClientStream {
    fn poll_open(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Pin<&mut dyn Duplex>>> {
        if let Self::Accepting(accept) = self {
            let done = ready!(Pin::new(accept.as_mut()).poll(cx));
            match done {
                Ok(stream) => *self = Self::Secure(Box::new(stream)),
                Err(error) => {
                    *self = Self::Failed;
                    return Poll::Ready(Err(error));
                }
            }
        }
        match self {
            Self::Plain(stream) => Poll::Ready(Ok(Pin::new(stream))),
            Self::Secure(stream) => Poll::Ready(Ok(Pin::new(stream.as_mut()))),
            Self::Accepting(_) | Self::Failed => {
                Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()))
            }
        }
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.get_mut().poll_open(cx))?.poll_read(cx, buf)
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.get_mut().poll_open(cx))?.poll_write(cx, buf)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.get_mut().poll_open(cx))?.poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.get_mut().poll_open(cx))?.poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Accepting(_) | Self::Failed => Poll::Ready(Ok(())),
            open => ready!(open.poll_open(cx))?.poll_shutdown(cx),
        }
    }
}
