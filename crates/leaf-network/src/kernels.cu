// What lies between the matrix products of the network. Numbers are 16-bit floats, which are read and written by instructions
// of the GPU, because the headers for them are not everywhere. The constants SQUARES, CHANNELS, ONE_HOT, UNIFORM and
// POLICY_WIDTH are defined by the program.

typedef unsigned short half;

__device__ float number(half from) {
    float to;
    asm("cvt.f32.f16 %0, %1;" : "=f"(to) : "h"(from));
    return to;
}

__device__ half rounded(float from) {
    half to;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(to) : "f"(from));
    return to;
}

// A thread for each number of the planes. `one_hot` says for each square which plane is 1 there; `uniform` has the planes that
// are the same on all squares.
extern "C" __global__ void planes(const unsigned char* one_hot, const float* uniform, half* to, unsigned count) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    unsigned square = at / CHANNELS, plane = at % CHANNELS;
    float value = 0.0f;
    if (plane < ONE_HOT) value = one_hot[square] == plane ? 1.0f : 0.0f;
    else if (plane < ONE_HOT + UNIFORM) value = uniform[square / SQUARES * UNIFORM + plane - ONE_HOT];
    to[at] = rounded(value);
}

// A thread for eight channels of a neighbour of a square; `vectors` are the channels in eights.
extern "C" __global__ void neighbours(const uint4* from, uint4* to, unsigned vectors, unsigned count) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    unsigned channel = at % vectors, neighbour = at / vectors % 9, square = at / (9 * vectors);
    // One more than the rank and the file of the neighbour.
    unsigned rank = square % SQUARES / 8 + neighbour / 3, file = square % 8 + neighbour % 3;
    uint4 numbers = make_uint4(0, 0, 0, 0);
    if (rank >= 1 && rank <= 8 && file >= 1 && file <= 8) {
        unsigned source = square / SQUARES * SQUARES + (rank - 1) * 8 + file - 1;
        numbers = from[source * vectors + channel];
    }
    to[at] = numbers;
}

// A thread for each number of the boards.
extern "C" __global__ void add_board(const half* board, half* to, unsigned size, unsigned count) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) to[at] = rounded(fmaxf(number(to[at]) + number(board[at % size]), 0.0f));
}

// A block of threads for each board. Shared memory has room for `width` + `squeezed_width` floats.
extern "C" __global__ void excite(const half* y, half* x, const half* squeeze, const half* squeeze_bias, const half* excite,
                                  const half* excite_bias, unsigned width, unsigned squeezed_width) {
    extern __shared__ float means[];
    float* squeezed = means + width;
    y += blockIdx.x * SQUARES * width;
    x += blockIdx.x * SQUARES * width;
    for (unsigned channel = threadIdx.x; channel < width; channel += blockDim.x) {
        float sum = 0.0f;
        for (unsigned square = 0; square < SQUARES; square++) sum += number(y[square * width + channel]);
        means[channel] = sum / SQUARES;
    }
    __syncthreads();
    for (unsigned neuron = threadIdx.x; neuron < squeezed_width; neuron += blockDim.x) {
        float sum = number(squeeze_bias[neuron]);
        for (unsigned input = 0; input < width; input++) sum += means[input] * number(squeeze[input * squeezed_width + neuron]);
        squeezed[neuron] = fmaxf(sum, 0.0f);
    }
    __syncthreads();
    for (unsigned channel = threadIdx.x; channel < width; channel += blockDim.x) {
        float gate = number(excite_bias[channel]), shift = number(excite_bias[width + channel]);
        for (unsigned input = 0; input < squeezed_width; input++) {
            gate += squeezed[input] * number(excite[input * 2 * width + channel]);
            shift += squeezed[input] * number(excite[input * 2 * width + width + channel]);
        }
        gate = 1.0f / (1.0f + expf(-gate));
        for (unsigned square = 0; square < SQUARES; square++) {
            unsigned at = square * width + channel;
            x[at] = rounded(fmaxf(number(x[at]) + number(y[at]) * gate + shift, 0.0f));
        }
    }
}

// A thread for each pair of rows.
extern "C" __global__ void dot_products(const uint2* pairs, const half* source, const half* target, half* to, unsigned count) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    const half* one = source + pairs[at].x * POLICY_WIDTH;
    const half* other = target + pairs[at].y * POLICY_WIDTH;
    float sum = 0.0f;
    for (unsigned input = 0; input < POLICY_WIDTH; input++) sum += number(one[input]) * number(other[input]);
    to[at] = rounded(sum);
}
