//! SHA-256 (FIPS 180-4) of many messages, four at a time: lane `n` of every vector belongs to one
//! message. A lane whose message ends takes up the next one at once, so that none waits for the longest.

use core::ops::Range;

#[cfg(not(target_arch = "wasm32"))]
mod vector {
    /// Four numbers, for the tests on machines without WebAssembly's vectors.
    #[derive(Clone, Copy)]
    pub(super) struct Vector([u32; 4]);

    impl Vector {
        pub(super) fn from_lanes(lanes: [u32; 4]) -> Self {
            Self(lanes)
        }

        pub(super) fn lanes(self) -> [u32; 4] {
            self.0
        }

        fn zip(self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
            let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
            Self([f(a, e), f(b, g), f(c, h), f(d, i)])
        }

        pub(super) fn add(self, other: Self) -> Self {
            self.zip(other, u32::wrapping_add)
        }

        pub(super) fn xor(self, other: Self) -> Self {
            self.zip(other, |a, b| a ^ b)
        }

        pub(super) fn rotate<const BITS: u32>(self) -> Self {
            Self(self.0.map(|lane| lane.rotate_right(BITS)))
        }

        pub(super) fn shift<const BITS: u32>(self) -> Self {
            Self(self.0.map(|lane| lane >> BITS))
        }

        /// Bit by bit, `a` where the mask is set and `b` where not.
        pub(super) fn select(mask: Self, a: Self, b: Self) -> Self {
            b.xor(mask.zip(a.xor(b), |mask, bits| mask & bits))
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod vector {
    use core::arch::wasm32::{
        u32x4, u32x4_add, u32x4_extract_lane, u32x4_shl, u32x4_shr, v128, v128_bitselect, v128_or, v128_xor,
    };

    #[derive(Clone, Copy)]
    pub(super) struct Vector(v128);

    impl Vector {
        #[inline(always)]
        pub(super) fn from_lanes([a, b, c, d]: [u32; 4]) -> Self {
            Self(u32x4(a, b, c, d))
        }

        #[inline(always)]
        pub(super) fn lanes(self) -> [u32; 4] {
            [
                u32x4_extract_lane::<0>(self.0),
                u32x4_extract_lane::<1>(self.0),
                u32x4_extract_lane::<2>(self.0),
                u32x4_extract_lane::<3>(self.0),
            ]
        }

        #[inline(always)]
        pub(super) fn add(self, other: Self) -> Self {
            Self(u32x4_add(self.0, other.0))
        }

        #[inline(always)]
        pub(super) fn xor(self, other: Self) -> Self {
            Self(v128_xor(self.0, other.0))
        }

        #[inline(always)]
        pub(super) fn rotate<const BITS: u32>(self) -> Self {
            Self(v128_or(u32x4_shr(self.0, BITS), u32x4_shl(self.0, 32 - BITS)))
        }

        #[inline(always)]
        pub(super) fn shift<const BITS: u32>(self) -> Self {
            Self(u32x4_shr(self.0, BITS))
        }

        /// Bit by bit, `a` where the mask is set and `b` where not.
        #[inline(always)]
        pub(super) fn select(mask: Self, a: Self, b: Self) -> Self {
            Self(v128_bitselect(a.0, b.0, mask.0))
        }
    }
}

use vector::Vector;

const BLOCK: usize = 64;

const INITIAL: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

const ROUNDS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
];

/// What one lane works on.
#[derive(Clone, Copy)]
struct Job<'a> {
    index: usize,
    /// Whole blocks of the message that are still to come.
    blocks: &'a [[u8; BLOCK]],
    /// The rest of the message with its padding.
    tail: [[u8; BLOCK]; 2],
    /// How many blocks of the tail are still to come.
    tail_blocks: usize,
}

impl<'a> Job<'a> {
    fn new(index: usize, message: &'a [u8]) -> Self {
        let (blocks, rest) = message.as_chunks::<BLOCK>();
        let mut tail = [[0; BLOCK]; 2];
        let tail_blocks = if rest.len() < BLOCK - 8 { 1 } else { 2 };
        let bits = (message.len() as u64 * 8).to_be_bytes();
        let padded = tail.as_flattened_mut();
        for (place, byte) in padded.iter_mut().zip(rest.iter().chain([&0x80])) {
            *place = *byte;
        }
        for (place, byte) in padded.iter_mut().skip(tail_blocks * BLOCK - 8).zip(bits) {
            *place = byte;
        }
        Self { index, blocks, tail, tail_blocks }
    }

    fn next_block(&mut self) -> [u8; BLOCK] {
        if let [first, rest @ ..] = self.blocks {
            self.blocks = rest;
            return *first;
        }
        self.tail_blocks = self.tail_blocks.saturating_sub(1);
        let [first, second] = self.tail;
        self.tail = [second, second];
        first
    }

    fn is_done(&self) -> bool {
        self.blocks.is_empty() && self.tail_blocks == 0
    }
}

/// Hands the digest of every message to `done`, with the message's index; in no particular order.
pub(super) fn of_each(buffer: &[u8], messages: &[Range<usize>], mut done: impl FnMut(usize, [u8; 32])) {
    let mut waiting = messages
        .iter()
        .enumerate()
        .map(|(index, range)| Job::new(index, buffer.get(range.clone()).unwrap_or_default()));
    let mut jobs: [Option<Job<'_>>; 4] = core::array::from_fn(|_| waiting.next());
    let mut state = INITIAL.map(|word| Vector::from_lanes([word; 4]));
    while jobs.iter().any(Option::is_some) {
        let blocks = jobs.each_mut().map(|job| job.as_mut().map_or([0; BLOCK], Job::next_block));
        compress(&mut state, &blocks);
        for (lane, slot) in jobs.iter_mut().enumerate() {
            if let Some(job) = slot.filter(Job::is_done) {
                let mut words = state.map(Vector::lanes);
                let mut digest = [0; 32];
                for ((bytes, word), initial) in digest.as_chunks_mut::<4>().0.iter_mut().zip(&mut words).zip(INITIAL) {
                    if let Some(value) = word.get_mut(lane) {
                        *bytes = value.to_be_bytes();
                        *value = initial;
                    }
                }
                state = words.map(Vector::from_lanes);
                done(job.index, digest);
                *slot = waiting.next();
            }
        }
    }
}

#[inline(always)]
fn compress(state: &mut [Vector; 8], blocks: &[[u8; BLOCK]; 4]) {
    let words = blocks.each_ref().map(|block| block.as_chunks::<4>().0.iter());
    let [mut p, mut q, mut r, mut s] = words;
    let mut next = || {
        Vector::from_lanes(
            [&mut p, &mut q, &mut r, &mut s].map(|lane| lane.next().map_or(0, |b| u32::from_be_bytes(*b))),
        )
    };
    let mut schedule: [Vector; 16] = core::array::from_fn(|_| next());
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for constants in ROUNDS.as_chunks::<16>().0 {
        for (constant, word) in constants.iter().zip(schedule) {
            let sum1 = e.rotate::<6>().xor(e.rotate::<11>()).xor(e.rotate::<25>());
            let choice = Vector::select(e, f, g);
            let t1 = h.add(sum1).add(choice).add(Vector::from_lanes([*constant; 4])).add(word);
            let sum0 = a.rotate::<2>().xor(a.rotate::<13>()).xor(a.rotate::<22>());
            // Majority: where a and b agree it is b, elsewhere c decides.
            let majority = Vector::select(a.xor(b), c, b);
            (h, g, f, e, d, c, b, a) = (g, f, e, d.add(t1), c, b, a, t1.add(sum0).add(majority));
        }
        extend(&mut schedule);
    }
    let after = [a, b, c, d, e, f, g, h];
    for (word, after) in state.iter_mut().zip(after) {
        *word = word.add(after);
    }
}

/// The next sixteen words of the message schedule.
#[inline(always)]
fn extend(schedule: &mut [Vector; 16]) {
    let [w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15] = *schedule;
    let step = |w0: Vector, w1: Vector, w9: Vector, w14: Vector| {
        let sigma0 = w1.rotate::<7>().xor(w1.rotate::<18>()).xor(w1.shift::<3>());
        let sigma1 = w14.rotate::<17>().xor(w14.rotate::<19>()).xor(w14.shift::<10>());
        w0.add(sigma0).add(w9).add(sigma1)
    };
    let n0 = step(w0, w1, w9, w14);
    let n1 = step(w1, w2, w10, w15);
    let n2 = step(w2, w3, w11, n0);
    let n3 = step(w3, w4, w12, n1);
    let n4 = step(w4, w5, w13, n2);
    let n5 = step(w5, w6, w14, n3);
    let n6 = step(w6, w7, w15, n4);
    let n7 = step(w7, w8, n0, n5);
    let n8 = step(w8, w9, n1, n6);
    let n9 = step(w9, w10, n2, n7);
    let n10 = step(w10, w11, n3, n8);
    let n11 = step(w11, w12, n4, n9);
    let n12 = step(w12, w13, n5, n10);
    let n13 = step(w13, w14, n6, n11);
    let n14 = step(w14, w15, n7, n12);
    let n15 = step(w15, n0, n8, n13);
    *schedule = [n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12, n13, n14, n15];
}
