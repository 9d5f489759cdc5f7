//! Which views of Live's window would be showing. Nothing here has a window: the state is kept so that scripts that steer
//! Live's views read back what they set. Exactly one of Arranger and Session shows.

/// Live's names of its views, in its order.
pub const VIEW_NAMES: [&str; 6] = ["Browser", "Arranger", "Session", "Detail", "Detail/Clip", "Detail/DeviceChain"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    Browser,
    Arranger,
    Session,
    Detail,
    DetailClip,
    DetailDeviceChain,
}

impl View {
    pub fn named(name: &str) -> Option<View> {
        Some(match name {
            "Browser" => View::Browser,
            "Arranger" => View::Arranger,
            "Session" => View::Session,
            "Detail" => View::Detail,
            "Detail/Clip" => View::DetailClip,
            "Detail/DeviceChain" => View::DetailDeviceChain,
            _ => return None,
        })
    }
}

/// What is open. A new Set shows the Session, the browser and the devices of the selected track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Views {
    /// The Arranger is the main view; else the Session is.
    pub arranger: bool,
    pub browser: bool,
    pub detail: bool,
    /// Detail's page is the clip; else the device chain.
    pub detail_clip: bool,
    /// A device is being swapped from the browser.
    pub hot_swap: bool,
}

impl Default for Views {
    fn default() -> Self {
        Views { arranger: false, browser: true, detail: true, detail_clip: false, hot_swap: false }
    }
}

impl Views {
    pub fn shows(self, view: View) -> bool {
        match view {
            View::Browser => self.browser,
            View::Arranger => self.arranger,
            View::Session => !self.arranger,
            View::Detail => self.detail,
            View::DetailClip => self.detail && self.detail_clip,
            View::DetailDeviceChain => self.detail && !self.detail_clip,
        }
    }

    /// A page of Detail opens Detail.
    pub fn show(&mut self, view: View) {
        match view {
            View::Browser => self.browser = true,
            View::Arranger => self.arranger = true,
            View::Session => self.arranger = false,
            View::Detail => self.detail = true,
            View::DetailClip => (self.detail, self.detail_clip) = (true, true),
            View::DetailDeviceChain => (self.detail, self.detail_clip) = (true, false),
        }
    }

    /// Hiding one main view shows the other; hiding the page that shows closes Detail.
    pub fn hide(&mut self, view: View) {
        match view {
            View::Browser => (self.browser, self.hot_swap) = (false, false),
            View::Arranger => self.arranger = false,
            View::Session => self.arranger = true,
            View::Detail => self.detail = false,
            page if self.shows(page) => self.detail = false,
            View::DetailClip | View::DetailDeviceChain => {}
        }
    }

    pub fn main(self) -> &'static str {
        if self.arranger { "Arranger" } else { "Session" }
    }
}
