//! NVIDIA GPUs: the layers in 16-bit floats. The matrix products are those of cuBLASLt. What lies between them are kernels of
//! this crate, which NVRTC compiles when a network is loaded. All libraries are found at run time.

use std::sync::Arc;

use cudarc::cublaslt::{Activation, CudaBlasLT, Matmul, MatmulConfig};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, LaunchArgs, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};
use half::f16;
use rukh_chess::Position;

use crate::cpu::{CpuModel, Raw};
use crate::device::Device;
use crate::encoding::{Encoded, ONE_HOT_PLANES, SQUARES, UNIFORM_PLANES};
use crate::file::POLICY_WIDTH;
use crate::model::{Block, CHANNELS, Layers, Linear, Model, NEIGHBOURS};
use crate::weights::Weights;

/// The greatest batch.
const BATCH: usize = 1_024;
/// Channels that a thread copies at once: 16 bytes.
const VECTOR: usize = 8;
/// The number of a square without a 1 in any of the one-hot planes.
const NO_PLANE: u8 = u8::MAX;
const KERNELS: &str = include_str!("kernels.cu");

/// An NVIDIA GPU with a network, after a comparison with the CPU.
pub(crate) fn cuda(weights: &Weights) -> Result<Box<dyn Device>, String> {
    if !weights.size.width.is_multiple_of(VECTOR) {
        return Err(format!("the width of the network is no multiple of {VECTOR}"));
    }
    let gpu = Model::new(Gpu::new()?, weights, BATCH)?;
    let position = Position::default();
    let one = [Encoded::new(&position, &position.legal_moves())];
    let (expected, found) = (CpuModel::new(weights).evaluate(&one), gpu.evaluate(&one)?);
    match is_near(&expected[0], &found[0]) {
        true => Ok(Box::new(gpu)),
        false => Err("it gives other values than the CPU".to_owned()),
    }
}

/// Whether two outputs differ by no more than 16-bit floats explain.
fn is_near(one: &Raw, other: &Raw) -> bool {
    const TOLERANCE: f32 = 0.3;
    let numbers = one.values.iter().chain(&one.logits).zip(other.values.iter().chain(&other.logits));
    numbers.into_iter().all(|(one, other)| (one - other).abs() <= TOLERANCE)
}

/// The first GPU, with the kernels.
struct Gpu {
    stream: Arc<CudaStream>,
    products: CudaBlasLT,
    planes: CudaFunction,
    neighbours: CudaFunction,
    add_board: CudaFunction,
    excite: CudaFunction,
    dot_products: CudaFunction,
}

impl Gpu {
    fn new() -> Result<Self, String> {
        find_libraries()?;
        let context = CudaContext::new(0).map_err(|error| format!("there is no GPU: {error}"))?;
        let stream = context.default_stream();
        let define = |(name, value): (&str, usize)| format!("--define-macro={name}={value}");
        let constants = [
            ("SQUARES", SQUARES),
            ("CHANNELS", CHANNELS),
            ("ONE_HOT", ONE_HOT_PLANES),
            ("UNIFORM", UNIFORM_PLANES),
            ("POLICY_WIDTH", POLICY_WIDTH),
        ];
        let options = CompileOptions { options: constants.map(define).to_vec(), ..CompileOptions::default() };
        let kernels = compile_ptx_with_opts(KERNELS, options).map_err(|error| format!("{error:?}"))?;
        let module = context.load_module(kernels).map_err(said)?;
        let kernel = |name: &str| module.load_function(name).map_err(said);
        Ok(Self {
            products: CudaBlasLT::new(stream.clone()).map_err(|error| format!("{error:?}"))?,
            stream,
            planes: kernel("planes")?,
            neighbours: kernel("neighbours")?,
            add_board: kernel("add_board")?,
            excite: kernel("excite")?,
            dot_products: kernel("dot_products")?,
        })
    }
}

/// A library that is not there would make every function of it panic.
#[expect(unsafe_code, reason = "a library that is loaded may do anything; these are those of NVIDIA")]
fn find_libraries() -> Result<(), String> {
    // SAFETY: these try to load a library by its names, and nothing else.
    let (driver, compiler, products) = unsafe {
        use cudarc::{cublaslt, driver, nvrtc};
        (driver::sys::is_culib_present(), nvrtc::sys::is_culib_present(), cublaslt::sys::is_culib_present())
    };
    let libraries = [(driver, "the driver of NVIDIA"), (compiler, "NVRTC"), (products, "cuBLASLt")];
    let missing = libraries.into_iter().find(|(is_present, _)| !is_present);
    missing.map_or(Ok(()), |(_, name)| Err(format!("{name} is not found")))
}

fn said(error: cudarc::driver::DriverError) -> String {
    error.to_string()
}

/// So many threads in blocks of 256.
fn threads(count: usize) -> LaunchConfig {
    const BLOCK: usize = 256;
    LaunchConfig {
        grid_dim: (count.div_ceil(BLOCK) as u32, 1, 1),
        block_dim: (BLOCK as u32, 1, 1),
        shared_mem_bytes: 0,
    }
}

/// Runs a kernel with the arguments that were given.
#[expect(unsafe_code, reason = "kernels are given counts and memory that nothing checks")]
fn run(mut launch: LaunchArgs<'_>, config: LaunchConfig) -> Result<(), String> {
    // SAFETY: the arguments are those of the kernel in kernels.cu, in its order; a kernel reads and writes no further than the
    // count that it is given, and the model gives memory for that.
    unsafe { launch.launch(config) }.map(drop).map_err(said)
}

impl Layers for Gpu {
    type Numbers = CudaSlice<f16>;

    fn upload(&self, numbers: &[f32]) -> Result<Self::Numbers, String> {
        let numbers: Vec<f16> = numbers.iter().copied().map(f16::from_f32).collect();
        self.stream.clone_htod(&numbers).map_err(said)
    }

    fn allocate(&self, count: usize) -> Result<Self::Numbers, String> {
        self.stream.alloc_zeros(count).map_err(said)
    }

    fn download(&self, from: &Self::Numbers, count: usize) -> Result<Vec<f32>, String> {
        let numbers = self.stream.clone_dtoh(&from.slice(..count)).map_err(said)?;
        Ok(numbers.into_iter().map(f16::to_f32).collect())
    }

    fn planes(&self, positions: &[Encoded], to: &mut Self::Numbers) -> Result<(), String> {
        let one_hot: Vec<u8> =
            positions.iter().flat_map(Encoded::one_hot).map(|plane| plane.unwrap_or(NO_PLANE)).collect();
        let uniform: Vec<f32> = positions.iter().flat_map(Encoded::uniform).collect();
        let one_hot = self.stream.clone_htod(&one_hot).map_err(said)?;
        let uniform = self.stream.clone_htod(&uniform).map_err(said)?;
        let count = positions.len() * SQUARES * CHANNELS;
        let numbers = count as u32;
        let mut launch = self.stream.launch_builder(&self.planes);
        launch.arg(&one_hot).arg(&uniform).arg(to).arg(&numbers);
        run(launch, threads(count))
    }

    fn neighbours(
        &self,
        boards: usize,
        channels: usize,
        from: &Self::Numbers,
        to: &mut Self::Numbers,
    ) -> Result<(), String> {
        let vectors = (channels / VECTOR) as u32;
        let count = boards * SQUARES * NEIGHBOURS * vectors as usize;
        let numbers = count as u32;
        let mut launch = self.stream.launch_builder(&self.neighbours);
        launch.arg(from).arg(to).arg(&vectors).arg(&numbers);
        run(launch, threads(count))
    }

    #[expect(unsafe_code, reason = "a matrix product is given shapes and memory that nothing checks")]
    fn linear(
        &self,
        rows: usize,
        layer: &Linear<Self::Numbers>,
        is_clipped: bool,
        from: &Self::Numbers,
        to: &mut Self::Numbers,
    ) -> Result<(), String> {
        // cuBLAS counts by columns: for it all matrices are transposed.
        let shape = MatmulConfig {
            transa: false,
            transb: false,
            transc: false,
            m: layer.outputs as u64,
            n: rows as u64,
            k: layer.inputs as u64,
            alpha: 1.0,
            lda: layer.outputs as i64,
            ldb: layer.inputs as i64,
            beta: 0.0,
            ldc: layer.outputs as i64,
            stride_a: None,
            stride_b: None,
            stride_c: None,
            stride_bias: None,
            batch_size: None,
        };
        let activation = is_clipped.then_some(Activation::Relu);
        let bias = Some(&layer.bias);
        // SAFETY: the weights have the shape of the layer, and the model gives memory for so many rows.
        unsafe { self.products.matmul(shape, &layer.weight, from, to, bias, activation.as_ref()) }
            .map_err(|error| format!("{error:?}"))
    }

    fn add_board(
        &self,
        boards: usize,
        width: usize,
        board: &Self::Numbers,
        to: &mut Self::Numbers,
    ) -> Result<(), String> {
        let size = (SQUARES * width) as u32;
        let count = boards * SQUARES * width;
        let numbers = count as u32;
        let mut launch = self.stream.launch_builder(&self.add_board);
        launch.arg(board).arg(to).arg(&size).arg(&numbers);
        run(launch, threads(count))
    }

    fn excite(
        &self,
        boards: usize,
        block: &Block<Self::Numbers>,
        y: &Self::Numbers,
        x: &mut Self::Numbers,
    ) -> Result<(), String> {
        const MOST: usize = 1_024;
        let Block { squeeze, excite, .. } = block;
        let (width, squeezed) = (squeeze.inputs as u32, squeeze.outputs as u32);
        let config = LaunchConfig {
            grid_dim: (boards as u32, 1, 1),
            block_dim: (squeeze.inputs.min(MOST) as u32, 1, 1),
            shared_mem_bytes: (width + squeezed) * size_of::<f32>() as u32,
        };
        let mut launch = self.stream.launch_builder(&self.excite);
        launch.arg(y).arg(x).arg(&squeeze.weight).arg(&squeeze.bias).arg(&excite.weight).arg(&excite.bias);
        launch.arg(&width).arg(&squeezed);
        run(launch, config)
    }

    fn dot_products(
        &self,
        pairs: &[[u32; 2]],
        source: &Self::Numbers,
        target: &Self::Numbers,
        to: &mut Self::Numbers,
    ) -> Result<(), String> {
        if pairs.is_empty() {
            return Ok(());
        }
        let rows = self.stream.clone_htod(pairs.as_flattened()).map_err(said)?;
        let numbers = pairs.len() as u32;
        let mut launch = self.stream.launch_builder(&self.dot_products);
        launch.arg(&rows).arg(source).arg(target).arg(to).arg(&numbers);
        run(launch, threads(pairs.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Size;
    use crate::model::tests::{are_near, positions, random_weights};

    /// Where there is a GPU.
    #[test]
    fn the_gpu_gives_what_the_cpu_gives() {
        let weights = random_weights(Size { width: 64, layers: 2 }, 7);
        match cuda(&weights) {
            Ok(gpu) => {
                let positions: Vec<Encoded> = positions().into_iter().cycle().take(1_700).collect();
                let found = gpu.evaluate(&positions).expect("it has just worked");
                assert!(are_near(&CpuModel::new(&weights).evaluate(&positions), &found, 0.05));
            }
            Err(sentence) => eprintln!("not tested: {sentence}"),
        }
    }
}
