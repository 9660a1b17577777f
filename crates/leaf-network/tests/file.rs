//! Network files: what is read, what is refused.

use std::fs;

use crate::common::{SMALL, signed, unsigned};
use rukh_leaf_network::file::{BadNetwork, NetworkFile, Part, Size, parts};

/// The checksum that `scripts/teacher made` and `scripts/teacher export` write for the same network.
const CHECKSUM_BY_SCRIPT: u64 = 0xa686_f55b_941b_39f0;

#[test]
fn the_file_is_that_of_the_script() {
    let file = NetworkFile::read(&signed(unsigned(SMALL, ""))).expect("it is whole");
    assert_eq!(file.checksum, CHECKSUM_BY_SCRIPT);
    assert_eq!((file.size, file.description.as_str()), (SMALL, ""));
    assert_eq!(file.weights.iter().map(Vec::len).sum::<usize>(), 268_632);
}

#[test]
fn the_teacher_of_the_project_has_this_many_weights() {
    let count: usize = parts(Size { width: 192, layers: 10 }).iter().map(Part::count).sum();
    // As many as `scripts/teacher export teacher/teacher.pt` writes.
    assert_eq!(count, 7_269_508);
}

#[test]
fn wrong_files_are_refused() {
    let bytes = signed(unsigned(SMALL, "a test"));
    let refusal = |bytes: &[u8]| NetworkFile::read(bytes).expect_err("it is wrong");
    assert_eq!(refusal(b"RUKH pol"), BadNetwork::Foreign);
    assert_eq!(refusal(b""), BadNetwork::Foreign);
    assert_eq!(refusal(&bytes[..20]), BadNetwork::Foreign);
    let with = |at: usize, byte: u8| {
        let mut broken = bytes.clone();
        broken[at] = byte;
        refusal(&broken)
    };
    assert_eq!(with(8, 9), BadNetwork::Version(9));
    assert_eq!(with(12, 9), BadNetwork::Size([9, 2]), "the width is no multiple of four");
    assert_eq!(with(16, 0), BadNetwork::Size([8, 0]));
    assert_eq!(with(15, 255), BadNetwork::Size([0xff00_0008, 2]));
    assert!(matches!(with(12, 16), BadNetwork::Length { .. }), "another width");
    assert!(matches!(with(23, 255), BadNetwork::Length { .. }), "a description without end");
    assert_eq!(with(bytes.len() / 2, bytes[bytes.len() / 2] ^ 1), BadNetwork::Damaged);
    assert_eq!(with(bytes.len() - 1, bytes[bytes.len() - 1] ^ 1), BadNetwork::Damaged);
    assert!(matches!(refusal(&bytes[..bytes.len() - 1]), BadNetwork::Length { .. }));
    assert!(matches!(refusal(&[&bytes[..], &[0]].concat()), BadNetwork::Length { .. }));
    // A weight that is no number: the first one after the description.
    let mut broken = unsigned(SMALL, "");
    broken[24..26].copy_from_slice(&half::f16::NAN.to_le_bytes());
    assert_eq!(refusal(&signed(broken)), BadNetwork::Weight("squares".to_owned()));
}

#[test]
fn a_file_that_cannot_be_loaded_is_named_in_one_sentence() {
    let folder = std::env::temp_dir().join(format!("rukh-leaf-network-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("there is room");
    let path = folder.join("cut.rkt");
    let bytes = signed(unsigned(SMALL, ""));
    fs::write(&path, &bytes[..1_000]).expect("there is room");
    let error = NetworkFile::load(&path).expect_err("it is cut");
    assert!(error.contains("cut.rkt cannot be loaded: it has 1000 bytes, not "), "{error}");
    let error = NetworkFile::load(&folder.join("none.rkt")).expect_err("it is not there");
    assert!(error.contains("none.rkt cannot be loaded: "), "{error}");
    fs::remove_dir_all(&folder).expect("it was made here");
}
