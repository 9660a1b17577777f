//! Leaf network options: a large network for the leaves of Monte Carlo tree search. Without the feature `large-network` there
//! are none.

#[cfg(not(feature = "large-network"))]
use std::sync::Arc;

#[cfg(not(feature = "large-network"))]
use rukh_engine::api::{Algorithm, LeafNetwork};
use rukh_protocol::LoadLeafNetwork;

#[cfg(feature = "large-network")]
pub(crate) use present::LeafNetworkArgs;

/// No leaf network.
#[cfg(not(feature = "large-network"))]
#[derive(clap::Args, Clone)]
pub(crate) struct LeafNetworkArgs {}

#[cfg(not(feature = "large-network"))]
impl LeafNetworkArgs {
    /// None.
    pub(crate) fn network(&self, _search: Algorithm) -> Result<Option<Arc<dyn LeafNetwork>>, String> {
        Ok(None)
    }

    /// None.
    pub(crate) fn fingerprint(&self) -> Result<Option<String>, String> {
        Ok(None)
    }
}

/// Loads a leaf network for a session.
#[cfg(feature = "large-network")]
pub(crate) const LOAD: LoadLeafNetwork = present::load;
/// There is none.
#[cfg(not(feature = "large-network"))]
pub(crate) const LOAD: LoadLeafNetwork =
    |_, _| Err("this program was built without leaf networks".to_owned());

#[cfg(feature = "large-network")]
mod present {
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    use rukh_engine::api::{Algorithm, LeafNetwork};
    use rukh_eval::checksum::fnv1a;
    use rukh_leaf_network::{Backend, LargeNetwork};
    use rukh_protocol::LoadedLeafNetwork;

    use crate::output::eprint_line;

    /// A large network for the leaves of a tree search.
    #[derive(clap::Args, Clone)]
    pub(crate) struct LeafNetworkArgs {
        /// A large network with two heads that evaluates the leaves of --search mcts
        #[arg(long, value_name = "FILE")]
        leaf_network: Option<PathBuf>,

        /// Where the leaf network runs: cpu or cuda
        #[arg(long, value_name = "NAME", default_value_t, requires = "leaf_network")]
        backend: Backend,
    }

    impl LeafNetworkArgs {
        /// The checksum of the file, if one was named.
        pub(crate) fn fingerprint(&self) -> Result<Option<String>, String> {
            let Some(path) = &self.leaf_network else { return Ok(None) };
            let bytes = std::fs::read(path)
                .map_err(|error| format!("{} cannot be loaded: {error}", path.display()))?;
            Ok(Some(format!("{:016x}", fnv1a(&bytes))))
        }

        /// The network, if one was named.
        pub(crate) fn network(&self, search: Algorithm) -> Result<Option<Arc<dyn LeafNetwork>>, String> {
            let Some(path) = &self.leaf_network else { return Ok(None) };
            if search != Algorithm::Mcts {
                return Err("--leaf-network needs --search mcts".to_owned());
            }
            let LoadedLeafNetwork { network, notice } = open(path, self.backend)?;
            notice.iter().for_each(|sentence| eprint_line(sentence));
            Ok(Some(network))
        }
    }

    pub(super) fn load(path: &Path, backend: &str) -> Result<LoadedLeafNetwork, String> {
        open(path, backend.parse()?)
    }

    fn open(path: &Path, backend: Backend) -> Result<LoadedLeafNetwork, String> {
        let network = LargeNetwork::load(path, backend, eprint_line)?;
        Ok(LoadedLeafNetwork { notice: network.notice(), network })
    }
}
