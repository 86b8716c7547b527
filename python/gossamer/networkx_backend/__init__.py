"""The backend for NetworkX: ``nx.config.backend_priority = ["gossamer"]``, or ``backend="gossamer"`` in a call.

NetworkX looks functions up as attributes of `backend`. What there is, and which graphs are large enough, stands in gossamer_networkx/table.py; the
functions are in functions.py. One more function is a row there and a few lines here.
"""

from __future__ import annotations

from typing import Any


class _Backend:
    """What NetworkX asks for. Loads the functions at first use: NetworkX looks for backends while it is imported."""

    def __getattr__(self, name: str) -> Any:
        from gossamer import _networkx_calls
        from gossamer.networkx_backend import dispatch
        from gossamer_networkx.table import TABLE

        if name in TABLE:
            return _networkx_calls.noted(name, dispatch.function(name))
        if name in dispatch.ASKED_BY_NETWORKX:
            return getattr(dispatch, name)
        raise AttributeError(name)


backend = _Backend()
