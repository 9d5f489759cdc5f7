//! Short pieces as hashes of their bits: the same on every machine and with every build. A change that is meant to be
//! heard changes them, and says so where it is written down.

use super::devices::PIECES;
use super::pieces::*;
use super::roles::phrase;
use crate::instruments::Role;
use crate::offline::Stereo;

fn hash(out: &Stereo) -> u64 {
    // FNV-1a.
    let bits = out.left.iter().chain(&out.right).flat_map(|x| x.to_bits().to_le_bytes());
    bits.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

const ACCEPTED: [(&str, u64); 21] = [
    ("Drums", 0xbb21_b163_c930_c13f),
    ("Drums808", 0xf975_1ba4_09bb_bbe4),
    ("Drums909", 0x58fd_e92c_337c_2c07),
    ("Kick", 0xe66e_2a88_cf8a_988d),
    ("Bass", 0x930c_e6a2_24d1_e84d),
    ("Sub", 0xdff2_739c_33b5_4b45),
    ("Lead", 0x3db4_9a31_bc67_ecf6),
    ("Pluck", 0x9a50_f147_352f_0507),
    ("Bell", 0x81e9_d5d7_d5e1_0d59),
    ("Pad", 0xb00b_f606_a0b9_400c),
    ("Keys", 0xbbb9_bce3_fe78_94bd),
    ("Organ", 0xb31a_d198_97cf_f501),
    ("Voice", 0xd9ac_6fd2_f566_661c),
    ("Noise", 0x63cd_c289_b6e9_072d),
    ("everything", 0xba1b_b892_03be_a48e),
    ("note effects", 0x63d6_5af3_97d4_7e7b),
    ("instruments", 0x95ab_eb73_5d08_decd),
    ("more effects", 0x8c1f_9a1b_b0a4_3ac9),
    ("automation", 0x9791_20f8_4e8a_4432),
    ("operators", 0x69d3_55b2_dfd8_c7b3),
    ("impulses", 0xf1e7_8e10_3dc1_a67c),
];

#[test]
fn pieces_have_the_bits_that_were_accepted() {
    let mut is: Vec<(String, u64)> = Role::ALL
        .iter()
        .map(|role| {
            let tracks = vec![track(1, vec![instrument(1, role.instrument())])];
            (format!("{role:?}"), hash(&play(mix(tracks), &phrase(*role).0, 3 * SECOND)))
        })
        .collect();
    let (all, events) = full_mix();
    is.push(("everything".to_owned(), hash(&play(all, &events, 6 * SECOND))));
    for (name, made) in PIECES {
        let (mix, events) = made();
        is.push((name.to_owned(), hash(&play(mix, &events, 4 * SECOND))));
    }
    let listed: String = is.iter().map(|(name, hash)| format!("    (\"{name}\", {hash:#018x}),\n")).collect();
    let accepted: Vec<(String, u64)> = ACCEPTED.iter().map(|(name, hash)| ((*name).to_owned(), *hash)).collect();
    assert!(is == accepted, "these are:\n{listed}");
}
