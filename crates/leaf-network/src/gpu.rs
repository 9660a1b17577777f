//! NVIDIA GPUs: the backend of burn in 16-bit floats, with the convolution and the cache of kernels that a chess program wants.
//!
//! Burn would try many kernels for every layer and every shape at the first start, which takes minutes. The kernels are chosen
//! here.

use std::env;
use std::path::PathBuf;
use std::sync::Once;

use burn::tensor::{Tensor, TensorPrimitive};
use burn_cubecl::CubeBackend;
use burn_cubecl::ops::numeric::empty_device_dtype;
use cubecl::config::cache::CacheConfig;
use cubecl::config::{CubeClRuntimeConfig, RuntimeConfig};
use cubecl::cuda::CudaRuntime;
use cubek::convolution::{
    AcceleratedTileKind, ConvAlgorithm, ConvolutionArgs, ConvolutionInputs, Strategy, launch_ref,
};
use cubek::matmul::definition::{MatmulElems, MatmulGlobalElems};
use cubek::std::InputBinding;
use half::f16;
use rukh_chess::Position;

use crate::cpu::{CpuModel, Raw};
use crate::device::Device;
use crate::encoding::Encoded;
use crate::model::Convolve;
use crate::tensors::{Shapes, Tensors};
use crate::weights::Weights;

type Gpu = CubeBackend<CudaRuntime, f16, i32, u8>;

impl Convolve for Gpu {
    fn convolve(boards: Tensor<Self, 4>, weight: Tensor<Self, 4>, bias: Tensor<Self, 1>) -> Tensor<Self, 4> {
        let ([count, rows, columns, _], [outputs, ..]) = (boards.dims(), weight.dims());
        let boards = boards.into_primitive().tensor();
        let weight = weight.into_primitive().tensor();
        let bias = bias.into_primitive().tensor();
        let (client, kind) = (boards.client.clone(), boards.dtype);
        let shape = [count, rows, columns, outputs].into();
        let out = empty_device_dtype(client.clone(), boards.device.clone(), shape, kind);
        let elements = MatmulElems::from_globals(&MatmulGlobalElems {
            lhs: kind.into(),
            rhs: kind.into(),
            out: kind.into(),
        });
        let launch = |algorithm| {
            let inputs = ConvolutionInputs::Forward {
                input: InputBinding::new(boards.clone().binding(), kind.into()),
                weight: InputBinding::new(weight.clone().binding(), kind.into()),
                bias: Some(InputBinding::Normal(bias.clone().binding(), kind.into())),
                out: out.clone().binding(),
            };
            let same = ConvolutionArgs { stride: [1, 1], padding: [1, 1], dilation: [1, 1] };
            let strategy = Strategy::Inferred { algorithm, tile_kind: AcceleratedTileKind::Cmma };
            launch_ref(&strategy, &client, inputs, same, elements.clone())
        };
        // The fastest of those that were measured, and the one for GPUs without its tensor memory accelerator.
        let launched =
            launch(ConvAlgorithm::SimpleAsyncTma).or_else(|_| launch(ConvAlgorithm::SimpleSyncCyclic));
        launched.expect("the GPU has matrix units");
        Tensor::from_primitive(TensorPrimitive::Float(out))
    }
}

/// An NVIDIA GPU in 16-bit floats, after an evaluation of every shape, which compiles its kernels, and a comparison with the
/// CPU.
pub(crate) fn cuda(weights: &Weights) -> Result<Box<dyn Device>, String> {
    const BATCHES: [usize; 13] = [1, 4, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1_024];
    let shapes = Shapes { batches: &BATCHES, step: 64 };
    keep_kernels();
    let gpu = Tensors::<Gpu>::new(weights, shapes);
    let position = Position::default();
    let encoded = Encoded::new(&position, &position.legal_moves());
    for count in BATCHES {
        gpu.evaluate(&vec![encoded.clone(); count])?;
    }
    let one = std::slice::from_ref(&encoded);
    let (expected, found) = (CpuModel::new(weights).evaluate(one), gpu.evaluate(one)?);
    match is_near(&expected[0], &found[0]) {
        true => Ok(Box::new(gpu)),
        false => Err("it gives other values than the CPU".to_owned()),
    }
}

/// Keeps compiled kernels in the user's folder for caches. Otherwise every start would compile all of them again.
fn keep_kernels() {
    static IS_SET: Once = Once::new();
    IS_SET.call_once(|| {
        let mut config = CubeClRuntimeConfig::default().override_from_env();
        if let Some(folder) = cache_folder() {
            config.autotune.cache = CacheConfig::File(folder.clone());
            config.compilation.cache = Some(CacheConfig::File(folder));
        }
        CubeClRuntimeConfig::set(config);
    });
}

/// `rukh` in the user's folder for caches.
fn cache_folder() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = variable("XDG_CACHE_HOME").or_else(|| variable("LOCALAPPDATA"));
    Some(folder.or_else(|| Some(variable("HOME")?.join(".cache")))?.join("rukh"))
}

/// Whether two outputs differ by no more than 16-bit floats explain.
fn is_near(one: &Raw, other: &Raw) -> bool {
    const TOLERANCE: f32 = 0.3;
    let numbers = one.values.iter().chain(&one.logits).zip(other.values.iter().chain(&other.logits));
    numbers.into_iter().all(|(one, other)| (one - other).abs() <= TOLERANCE)
}
