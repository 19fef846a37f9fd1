"""Calibration: which environments and levels suit a model, from few attempts.

``palaestra calibrate`` does it for a model behind an endpoint. From Python,
:func:`calibrate_endpoint` is the same, and :func:`calibrate` takes anything that replies to
messages.
"""

from palaestra.trainers.calibration.design import Design, Target
from palaestra.trainers.calibration.ladders import selected
from palaestra.trainers.calibration.reports import Report, read
from palaestra.trainers.calibration.running import Calibration, calibrate, calibrate_endpoint
from palaestra.trainers.mixtures import Mixture

__all__ = [
    "Calibration",
    "Design",
    "Mixture",
    "Report",
    "Target",
    "calibrate",
    "calibrate_endpoint",
    "read",
    "selected",
]
