"""Runs a notebook in a folder, as Jupyter does, and fails with the cell that failed: run_notebook.py NOTEBOOK FOLDER."""

import sys

import nbformat
from nbclient import NotebookClient

notebook, folder = sys.argv[1:]
NotebookClient(
    nbformat.read(notebook, as_version=4), timeout=300, resources={"metadata": {"path": folder}}
).execute()
