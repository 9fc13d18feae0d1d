"""Impacts and forces of rigid contacts with friction, from rows over the speeds of any system."""

from ._bilateral import Bilateral as Bilateral
from ._contact_forces import ContactForces as ContactForces
from ._contact_forces import contact_forces as contact_forces
from ._contacts import Contacts as Contacts
from ._energetic import Energetic as Energetic
from ._enumeration import enumerated as enumerated
from ._firmest import firmest as firmest
from ._impact import Impact as Impact
from ._impact import ImpactOutcome as ImpactOutcome
from ._impact import impact as impact
from ._kinds import RESTITUTIONS as RESTITUTIONS
from ._motion import ContactMode as ContactMode
from ._motion import ContactMotion as ContactMotion
from ._newton import Newton as Newton
from ._poisson import Poisson as Poisson
from ._problem import ContactProblem as ContactProblem
from ._restitution import Restitution as Restitution
from ._solution import Answers as Answers
from ._solution import Solution as Solution
from ._sweeps import swept as swept
from ._touch import Touch as Touch
