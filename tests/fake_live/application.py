"""What the application says: its version, its dialogs, its views."""

VIEWS = ("Browser", "Arranger", "Session", "Detail", "Detail/Clip", "Detail/DeviceChain")


class ApplicationBehaviour:
    @staticmethod
    def do_get_major_version(app):
        return app.world.version[0]

    @staticmethod
    def do_get_minor_version(app):
        return app.world.version[1]

    @staticmethod
    def do_get_bugfix_version(app):
        return app.world.version[2]

    @staticmethod
    def do_get_version_string(app):
        return "%d.%d.%d" % app.world.version

    @staticmethod
    def do_get_variant(app):
        return "Suite"

    @staticmethod
    def do_get_build_id(app):
        return "fake"

    @staticmethod
    def do_get_document(app):
        return app.world.song

    @staticmethod
    def get_open_dialog_count(app):
        return len(app["dialogs"])

    @staticmethod
    def get_current_dialog_message(app):
        return app["dialogs"][-1] if app["dialogs"] else ""

    @staticmethod
    def get_current_dialog_button_count(app):
        return 1 if app["dialogs"] else 0

    @staticmethod
    def do_press_current_dialog_button(app, index):
        if app["dialogs"]:
            app["dialogs"].pop()


class ApplicationViewBehaviour:
    @staticmethod
    def do_available_main_views(view):
        return view.world.boost.vector_of("StringVector")(VIEWS)

    @staticmethod
    def do_is_view_visible(view, view_name, main_window_only=True):
        return view_name in view["shown"]

    @staticmethod
    def do_show_view(view, name):
        view["shown"] = view["shown"] | {name}

    @staticmethod
    def do_focus_view(view, name):
        ApplicationViewBehaviour.do_show_view(view, name)

    @staticmethod
    def do_hide_view(view, name):
        view["shown"] = view["shown"] - {name}
