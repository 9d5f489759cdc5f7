//! The tabs of the window.

/// What the window shows below its header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    #[default]
    Session,
    Arrangement,
    Clip,
    Activity,
    Setup,
    Context,
}

impl Tab {
    pub const ALL: [Tab; 6] = [Tab::Session, Tab::Arrangement, Tab::Clip, Tab::Activity, Tab::Setup, Tab::Context];

    pub fn name(self) -> &'static str {
        match self {
            Tab::Session => "Session",
            Tab::Arrangement => "Arrangement",
            Tab::Clip => "Clip",
            Tab::Activity => "Activity",
            Tab::Setup => "Setup",
            Tab::Context => "Context",
        }
    }

    /// Whether it shows the Set, which of another host is not shown.
    pub fn is_of_set(self) -> bool {
        matches!(self, Tab::Session | Tab::Arrangement | Tab::Clip)
    }

    /// Of a remembered name; the first tab where it is none.
    pub fn from_name(name: &str) -> Tab {
        Tab::ALL.into_iter().find(|tab| tab.name().eq_ignore_ascii_case(name)).unwrap_or_default()
    }
}
