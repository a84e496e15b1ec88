//! SHA-256 (FIPS 180-4) of many messages, four at a time: lane `n` of every vector belongs to one
//! message. A lane whose message ends takes up the next one at once, so that none waits for the longest.

#![expect(clippy::inline_always, reason = "the vectors stay in registers only if everything is one function")]
#![expect(clippy::many_single_char_names, reason = "the names of FIPS 180-4")]

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
            let mut lanes = self.0;
            for (lane, other) in lanes.iter_mut().zip(other.0) {
                *lane = f(*lane, other);
            }
            Self(lanes)
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

        /// The four big-endian numbers of each lane's sixteen bytes: the first of all lanes, the second, …
        pub(super) fn transposed(lanes: [[u8; 16]; 4]) -> [Self; 4] {
            let number =
                |lane: [u8; 16], n: usize| lane.as_chunks::<4>().0.get(n).map_or(0, |bytes| u32::from_be_bytes(*bytes));
            [0, 1, 2, 3].map(|n| Self(lanes.map(|lane| number(lane, n))))
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod vector {
    use core::arch::wasm32::{
        u8x16_shuffle, u32x4, u32x4_add, u32x4_extract_lane, u32x4_shl, u32x4_shr, u32x4_shuffle, u64x2, u64x2_shuffle,
        v128, v128_bitselect, v128_or, v128_xor,
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

        /// The four big-endian numbers of each lane's sixteen bytes: the first of all lanes, the second, …
        #[inline(always)]
        pub(super) fn transposed(lanes: [[u8; 16]; 4]) -> [Self; 4] {
            let [a, b, c, d] = lanes.map(|lane| {
                let bits = u128::from_le_bytes(lane);
                #[expect(clippy::cast_possible_truncation, reason = "the two halves are taken apart")]
                let halves = u64x2(bits as u64, (bits >> 64) as u64);
                u8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(halves, halves)
            });
            let (low, high) = (u32x4_shuffle::<0, 4, 1, 5>(a, b), u32x4_shuffle::<2, 6, 3, 7>(a, b));
            let (next_low, next_high) = (u32x4_shuffle::<0, 4, 1, 5>(c, d), u32x4_shuffle::<2, 6, 3, 7>(c, d));
            [
                Self(u64x2_shuffle::<0, 2>(low, next_low)),
                Self(u64x2_shuffle::<1, 3>(low, next_low)),
                Self(u64x2_shuffle::<0, 2>(high, next_high)),
                Self(u64x2_shuffle::<1, 3>(high, next_high)),
            ]
        }
    }
}

use vector::Vector;

const BLOCK: usize = 64;

const INITIAL: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

const ROUNDS: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// What one lane works on.
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
            if let Some(job) = slot.as_ref().filter(|job| job.is_done()) {
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
fn compress(state: &mut State, blocks: &[[u8; BLOCK]; 4]) {
    let quarter = |n: usize| {
        Vector::transposed(blocks.each_ref().map(|block| block.as_chunks::<16>().0.get(n).copied().unwrap_or_default()))
    };
    let mut schedule = [Vector::from_lanes([0; 4]); 16];
    for (n, words) in schedule.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        *words = quarter(n);
    }
    let mut after = *state;
    for (n, constants) in ROUNDS.as_chunks::<16>().0.iter().enumerate() {
        if n > 0 {
            extend(&mut schedule);
        }
        after = rounds(after, constants, &schedule);
    }
    for (word, after) in state.iter_mut().zip(after) {
        *word = word.add(after);
    }
}

type State = [Vector; 8];

/// Sixteen rounds, written out: a loop would move all eight words in every one of them.
#[inline(always)]
fn rounds(state: State, constants: &[u32; 16], schedule: &[Vector; 16]) -> State {
    let [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15] = *constants;
    let [w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15] = *schedule;
    let state = round(round(round(round(state, k0, w0), k1, w1), k2, w2), k3, w3);
    let state = round(round(round(round(state, k4, w4), k5, w5), k6, w6), k7, w7);
    let state = round(round(round(round(state, k8, w8), k9, w9), k10, w10), k11, w11);
    round(round(round(round(state, k12, w12), k13, w13), k14, w14), k15, w15)
}

#[inline(always)]
fn round([a, b, c, d, e, f, g, h]: State, constant: u32, word: Vector) -> State {
    let sum1 = e.rotate::<6>().xor(e.rotate::<11>()).xor(e.rotate::<25>());
    let choice = Vector::select(e, f, g);
    let t1 = h.add(sum1).add(choice).add(Vector::from_lanes([constant; 4])).add(word);
    let sum0 = a.rotate::<2>().xor(a.rotate::<13>()).xor(a.rotate::<22>());
    // Majority: where a and b agree it is b, elsewhere c decides.
    let majority = Vector::select(a.xor(b), c, b);
    [t1.add(sum0).add(majority), a, b, c, d.add(t1), e, f, g]
}

/// The next sixteen words of the message schedule.
#[inline(always)]
fn extend(schedule: &mut [Vector; 16]) {
    let [w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15] = *schedule;
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

#[inline(always)]
fn step(w0: Vector, w1: Vector, w9: Vector, w14: Vector) -> Vector {
    let sigma0 = w1.rotate::<7>().xor(w1.rotate::<18>()).xor(w1.shift::<3>());
    let sigma1 = w14.rotate::<17>().xor(w14.rotate::<19>()).xor(w14.shift::<10>());
    w0.add(sigma0).add(w9).add(sigma1)
}
