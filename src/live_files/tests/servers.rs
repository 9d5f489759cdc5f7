//! Samples on servers: asked for only where the user has named one.

use super::*;

/// Two slashes in front of a path name a server on Windows, and the same file elsewhere: so a file that was asked for
/// is a sample that was found.
#[test]
fn an_opened_set_has_no_server_asked_for_its_samples() {
    let sound = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/half.wav");
    let folder = format!("/{}", sound.trim_end_matches("/half.wav"));
    let set = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/song.als"));
    let missing = |path: &str, set: &PathBuf, allowed: &AllowedFolders| {
        let xml = ONE_OF_EACH.replace("/nowhere/Gone.wav", path).replace("/nowhere/High.wav", path);
        let xml = xml.replace(r#"<RelativePath Value="half.wav"/>"#, &format!(r#"<RelativePath Value="{path}"/>"#));
        let found = read_set(compressed(xml.as_bytes()).as_slice(), SampleSearch::around(set, allowed)).unwrap();
        found.report.missing_samples.len()
    };
    let (share, device) = (format!("/{sound}"), format!("//.{sound}"));
    let on_windows = |folders: &[&str]| AllowedFolders::new(folders).as_on_windows();
    for path in [&share, &device] {
        assert_eq!(missing(path, &set, &on_windows(&[])), 1, "{path}");
        assert_eq!(missing(path, &set, &on_windows(&["//nas/samples"])), 1, "{path}");
    }
    assert_eq!(missing(&device, &set, &on_windows(&[&folder, "//./"])), 1);
    if cfg!(unix) {
        assert_eq!(missing(&share, &set, &on_windows(&[&folder])), 0, "the user has named it");
        assert_eq!(missing(&share, &set, &AllowedFolders::default()), 0, "nothing but the rule keeps it from there");
        assert_eq!(missing(&device, &set, &AllowedFolders::default()), 0);
    }
}
