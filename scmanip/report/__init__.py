"""Results into figures and tables. Every figure is returned, none is shown; matplotlib loads with the first one."""

from typing import TYPE_CHECKING

from ..analysis import base_rotation as base_rotation
from ..plugins import late
from .figures._angular_momentum_figure import angular_momentum_figure as angular_momentum_figure
from .figures._base_disturbance_figure import base_disturbance_figure as base_disturbance_figure
from .figures._base_excursion_figure import base_excursion_figure as base_excursion_figure
from .figures._base_wrench_figure import base_wrench_figure as base_wrench_figure
from .figures._comparison_figure import comparison_figure as comparison_figure
from .figures._constraint_forces_figure import constraint_forces_figure as constraint_forces_figure
from .figures._energy_figure import energy_figure as energy_figure
from .figures._figure_kind import FigureKind as FigureKind
from .figures._figure_kind import PlannedRun as PlannedRun
from .figures._figure_kind import ShownPhase as ShownPhase
from .figures._figure_kind import ShownRun as ShownRun
from .figures._joint_angles_figure import joint_angles_figure as joint_angles_figure
from .figures._joint_forces_figure import joint_forces_figure as joint_forces_figure
from .figures._joint_power_figure import joint_power_figure as joint_power_figure
from .figures._joint_rates_figure import joint_rates_figure as joint_rates_figure
from .figures._linear_momentum_figure import linear_momentum_figure as linear_momentum_figure
from .figures._motor_use_figure import motor_use_figure as motor_use_figure
from .figures._panels import Figure as Figure
from .figures._panels import mode_words as mode_words
from .figures._propellant_figure import propellant_figure as propellant_figure
from .figures._tip_error_figure import tip_error_figure as tip_error_figure
from .figures._turner_figures import turner_momentum_figure as turner_momentum_figure
from .figures._turner_figures import turner_torque_figure as turner_torque_figure
from .gallery._drawn import DrawnFigures as DrawnFigures
from .gallery._figures import FIGURES as FIGURES
from .gallery._figures import figures as figures
from .gallery._phase_marks import mark_phases as mark_phases
from .gallery._plot import plot as plot
from .gallery._tracking_figure import tracking_figure as tracking_figure
from .verdicts._comparison import comparison as comparison
from .verdicts._limits import Limits as Limits
from .verdicts._summary import Summary as Summary
from .verdicts._summary import SummaryRow as SummaryRow
from .verdicts._summary import measured as measured
from .verdicts._summary import summary as summary
from .verdicts._verdict import SAFETY as SAFETY
from .verdicts._verdict import Verdict as Verdict
from .verdicts._verdict import Word as Word
from .verdicts._verdicts import inexact_verdicts as inexact_verdicts
from .verdicts._verdicts import verdicts as verdicts

if TYPE_CHECKING:
    from .figures._margins_figure import margins_figure as margins_figure
    from .figures._root_loci_figure import root_loci_figure as root_loci_figure
    from .figures.studies._study_figures import distribution_figure as distribution_figure
    from .figures.studies._study_figures import pareto_figure as pareto_figure
    from .figures.studies._study_figures import sensitivity_figure as sensitivity_figure
    from .pages._compliance import compliance_of_run as compliance_of_run
    from .pages._constraint_tables import constraint_rows as constraint_rows
    from .pages._constraint_tables import constraint_tables as constraint_tables
    from .pages._equations_used import equations_used as equations_used
    from .pages._motion import motion_blocks as motion_blocks
    from .pages._page import Block as Block
    from .pages._page import Formulas as Formulas
    from .pages._page import Picture as Picture
    from .pages._page import Playback as Playback
    from .pages._page import ReportPage as ReportPage
    from .pages._page import Section as Section
    from .pages._page import TextTable as TextTable
    from .pages._page import TypedLine as TypedLine
    from .pages._page import Words as Words
    from .pages._phase_account import PhaseAccount as PhaseAccount
    from .pages._run_page import budgets as budgets
    from .pages._run_page import run_page as run_page
    from .pages._study_page import study_page as study_page
    from .pages._study_results import StudyResults as StudyResults
    from .verdicts._designs import Designs as Designs
    from .verdicts._judged import CONFIDENCE as CONFIDENCE
    from .verdicts._judged import Judged as Judged
else:
    __getattr__, __dir__ = late(
        __name__,
        {
            "figures._margins_figure": "margins_figure",
            "figures._root_loci_figure": "root_loci_figure",
            "figures.studies._study_figures": "distribution_figure pareto_figure sensitivity_figure",
            "pages._compliance": "compliance_of_run",
            "pages._constraint_tables": "constraint_rows constraint_tables",
            "pages._equations_used": "equations_used",
            "pages._motion": "motion_blocks",
            "pages._page": "Block Formulas ReportPage Picture Playback Section TextTable TypedLine Words",
            "pages._phase_account": "PhaseAccount",
            "pages._run_page": "budgets run_page",
            "pages._study_page": "study_page",
            "pages._study_results": "StudyResults",
            "verdicts._designs": "Designs",
            "verdicts._judged": "CONFIDENCE Judged",
        },
    )
