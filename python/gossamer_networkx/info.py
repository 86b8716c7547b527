"""What NetworkX shows of the backend in its documentation. Read while NetworkX is imported: imports no more than the table."""

from __future__ import annotations

from typing import Any

from gossamer_networkx.table import TABLE


def get_info() -> dict[str, Any]:
    """Return the description of the backend."""
    return {
        "backend_name": "gossamer",
        "project": "gossamer",
        "package": "gossamer",
        "short_summary": "Graph algorithms on all cores.",
        "functions": {name: {"additional_docs": row.note} if row.note else {} for name, row in TABLE.items()},
    }
