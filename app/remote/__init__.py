"""Control of a running window by other programs of the user: `remote.connect()` gives one. See docs/remote.md."""

from tumble.app.remote.client import Remote, RemoteError, connect

__all__ = ["Remote", "RemoteError", "connect"]
