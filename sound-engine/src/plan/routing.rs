//! The order in which tracks are made: each after what it hears.

/// `hears[n]` are the tracks that track `n` needs. Gives the order, lowest numbers first where there is a choice, and
/// the ways that had to be left out because they lead back to where they come from: (from, to).
pub(super) fn order(hears: &[Vec<usize>]) -> (Vec<usize>, Vec<(usize, usize)>) {
    let (mut order, mut left_out) = (Vec::with_capacity(hears.len()), Vec::new());
    let mut made = vec![false; hears.len()];
    let is_made = |made: &[bool], track: usize| made.get(track).copied().unwrap_or(true);
    while order.len() < hears.len() {
        let ready = hears.iter().enumerate().position(|(track, needs)| {
            !is_made(&made, track) && needs.iter().all(|need| *need == track || is_made(&made, *need))
        });
        // In a ring, the first track begins and does without those that come later.
        let next = ready.or_else(|| made.iter().position(|made| !made));
        let Some(track) = next else { break };
        for need in hears.get(track).into_iter().flatten() {
            if *need == track || !is_made(&made, *need) {
                left_out.push((*need, track));
            }
        }
        order.push(track);
        if let Some(made) = made.get_mut(track) {
            *made = true;
        }
    }
    (order, left_out)
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn tracks_come_after_what_they_hear() {
        for (hears, meant, left_out) in [
            (vec![vec![], vec![], vec![0, 1]], vec![0, 1, 2], vec![]),
            (vec![vec![1, 2], vec![], vec![1]], vec![1, 2, 0], vec![]),
            (vec![vec![1], vec![0]], vec![0, 1], vec![(1, 0)]),
            (vec![vec![0], vec![]], vec![0, 1], vec![(0, 0)]),
            (vec![vec![7]], vec![0], vec![]),
        ] {
            assert_eq!(order(&hears), (meant, left_out), "{hears:?}");
        }
    }
}
