"""How a training ends other than by its report."""


class RefusedError(Exception):
    """Another attempt would end alike. The message is one sentence for the owner of the run, without text of rows."""


class DivergedError(Exception):
    """A loss or the norm of a gradient is not finite. The message names method and step."""


class RevokedError(Exception):
    """The attempt is not this process's any more: nothing may be written or reported."""


class InterruptedTrainingError(Exception):
    """The machine is taken away; what was trained is saved."""
