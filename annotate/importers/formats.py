"""The formats that a corpus can be imported from, by the name that commands and forms take."""

from typing import BinaryIO

from annotate.importers.benchpres import parse_benchpres
from annotate.importers.cimemories import parse_cimemories
from annotate.importers.corpus import Corpus
from annotate.importers.pairpref import parse_pairpref
from annotate.importers.tact import parse_tact
from annotate.problems import Problem

FORMATS = {
    "tact": "Tact corpus (JSON lines)",
    "benchpres": "Released BenchPreS rows (JSON lines or Parquet)",
    "cimemories": "CIMemories profiles (JSON)",
    "pairpref": "Released PairPref rows (JSON lines)",
}


def parse_corpus(
    corpus_format: str,
    file: BinaryIO,
    name: str,
    preferences_file: BinaryIO | None = None,
    preferences_name: str = "",
    field_map: str = "",
) -> Corpus:
    """Parse a file of a format named in `FORMATS`; raises `Problem`, for what the file holds `BadInput`.

    The field map, JSON text, is only for released PairPref rows.
    """
    if field_map.strip() and corpus_format != "pairpref":
        raise Problem(f"A field map is for the format pairpref; leave it out for {corpus_format}.")
    match corpus_format:
        case "pairpref":
            return parse_pairpref(file, name, preferences_file, preferences_name, field_map)
        case "cimemories":
            return parse_cimemories(file, name, preferences_file, preferences_name)
        case "benchpres":
            return parse_benchpres(file, name, preferences_file, preferences_name)
        case "tact" if preferences_file is None:
            return parse_tact(file, name)
        case "tact":
            raise Problem("A Tact corpus brings its own preferences; leave the preferences file out.")
        case _:
            raise Problem(f"Format {corpus_format!r} is unknown; expected one of {', '.join(FORMATS)}.")
