//! The large network: a file, a device and a batcher behind the interface of the engine.
//!
//! It knows nothing of the search.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rukh_engine::api::{LeafNetwork, NetworkInput, NetworkOutput};

use crate::batcher::{Batcher, Devices};
#[cfg(not(feature = "cuda"))]
use crate::device::Device;
use crate::device::{self, Backend};
use crate::encoding::Encoded;
use crate::file::NetworkFile;
#[cfg(feature = "cuda")]
use crate::gpu::cuda;
use crate::weights::Weights;

/// A large network with two heads. All searches of the process that use the same file on the same backend share it, so that
/// their leaves are evaluated in common batches.
pub struct LargeNetwork {
    name: String,
    backend: Backend,
    checksum: u64,
    batcher: Batcher,
}

impl fmt::Debug for LargeNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, backend, .. } = self;
        f.debug_struct("LargeNetwork").field("name", name).field("backend", backend).finish_non_exhaustive()
    }
}

/// The networks that are in use.
static OPEN: Mutex<Vec<Weak<LargeNetwork>>> = Mutex::new(Vec::new());

impl LargeNetwork {
    /// Loads a file, or says in one sentence why it cannot be loaded. Where the backend cannot be used the CPU is, and
    /// [`Self::notice`] says why; `report` receives that sentence if it happens later.
    pub fn load(path: &Path, backend: Backend, report: fn(&str)) -> Result<Arc<Self>, String> {
        Self::open(NetworkFile::load(path)?, backend, report)
    }

    /// The same with the contents of a file.
    pub fn open(file: NetworkFile, backend: Backend, report: fn(&str)) -> Result<Arc<Self>, String> {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|network| network.strong_count() > 0);
        let is_same = |network: &Arc<Self>| network.checksum == file.checksum && network.backend == backend;
        if let Some(network) = open.iter().filter_map(Weak::upgrade).find(is_same) {
            return Ok(network);
        }
        let name = match file.description.is_empty() {
            true => format!("{} network", file.size),
            false => format!("{} network, {}", file.size, file.description),
        };
        let checksum = file.checksum;
        let weights = Arc::new(Weights::new(file));
        let of_gpu = weights.clone();
        let devices = Devices {
            wanted: match backend {
                Backend::Cpu => None,
                Backend::Cuda => Some(Box::new(move || cuda(&of_gpu))),
            },
            other: Box::new(move || device::cpu(&weights)),
            apology: |reason| format!("CUDA cannot be used ({reason}); the leaf network runs on the CPU"),
            report,
        };
        let network = Arc::new(Self { name, backend, checksum, batcher: Batcher::new(devices)? });
        open.push(Arc::downgrade(&network));
        Ok(network)
    }

    /// Why the CPU is used in place of the backend that was asked for; `None` if it is not.
    pub fn notice(&self) -> Option<String> {
        self.batcher.notice()
    }
}

/// Without the feature `cuda` there is no GPU.
#[cfg(not(feature = "cuda"))]
fn cuda(_weights: &Weights) -> Result<Box<dyn Device>, String> {
    Err("this program was built without it".to_owned())
}

impl LeafNetwork for LargeNetwork {
    fn name(&self) -> &str {
        &self.name
    }

    fn batch_size(&self) -> usize {
        self.batcher.search_batch()
    }

    fn evaluate(&self, inputs: &[NetworkInput<'_>]) -> Vec<NetworkOutput> {
        let encode = |input: &NetworkInput<'_>| Encoded::new(input.position, input.moves);
        self.batcher.evaluate(inputs.iter().map(encode).collect())
    }
}
