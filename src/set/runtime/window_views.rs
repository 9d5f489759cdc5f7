//! Which views of Live's window would be showing. Nothing here has a window: the state is kept so that scripts that
//! steer Live's views read back what they set. Exactly one of Arranger and Session shows.

/// Live's names of its views, in its order.
pub const VIEW_NAMES: [&str; 6] = ["Browser", "Arranger", "Session", "Detail", "Detail/Clip", "Detail/DeviceChain"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowView {
    Browser,
    Arranger,
    Session,
    Detail,
    DetailClip,
    DetailDeviceChain,
}

impl WindowView {
    pub fn from_name(name: &str) -> Option<WindowView> {
        Some(match name {
            "Browser" => WindowView::Browser,
            "Arranger" => WindowView::Arranger,
            "Session" => WindowView::Session,
            "Detail" => WindowView::Detail,
            "Detail/Clip" => WindowView::DetailClip,
            "Detail/DeviceChain" => WindowView::DetailDeviceChain,
            _ => return None,
        })
    }
}

/// What is open. A new Set shows the Session, the browser and the devices of the selected track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowViews {
    /// The Arranger is the main view; else the Session is.
    pub arranger: bool,
    pub browser: bool,
    pub detail: bool,
    /// Detail's page is the clip; else the device chain.
    pub detail_clip: bool,
    /// A device is being swapped from the browser.
    pub hot_swap: bool,
}

impl Default for WindowViews {
    fn default() -> Self {
        WindowViews { arranger: false, browser: true, detail: true, detail_clip: false, hot_swap: false }
    }
}

impl WindowViews {
    pub fn shows(self, view: WindowView) -> bool {
        match view {
            WindowView::Browser => self.browser,
            WindowView::Arranger => self.arranger,
            WindowView::Session => !self.arranger,
            WindowView::Detail => self.detail,
            WindowView::DetailClip => self.detail && self.detail_clip,
            WindowView::DetailDeviceChain => self.detail && !self.detail_clip,
        }
    }

    /// A page of Detail opens Detail.
    pub fn show(&mut self, view: WindowView) {
        match view {
            WindowView::Browser => self.browser = true,
            WindowView::Arranger => self.arranger = true,
            WindowView::Session => self.arranger = false,
            WindowView::Detail => self.detail = true,
            WindowView::DetailClip => (self.detail, self.detail_clip) = (true, true),
            WindowView::DetailDeviceChain => (self.detail, self.detail_clip) = (true, false),
        }
    }

    /// Hiding one main view shows the other; hiding the page that shows closes Detail.
    pub fn hide(&mut self, view: WindowView) {
        match view {
            WindowView::Browser => (self.browser, self.hot_swap) = (false, false),
            WindowView::Arranger => self.arranger = false,
            WindowView::Session => self.arranger = true,
            WindowView::Detail => self.detail = false,
            page if self.shows(page) => self.detail = false,
            WindowView::DetailClip | WindowView::DetailDeviceChain => {}
        }
    }

    pub fn main_view(self) -> &'static str {
        if self.arranger { "Arranger" } else { "Session" }
    }
}
