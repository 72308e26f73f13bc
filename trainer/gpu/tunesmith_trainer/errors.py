"""Errors that end a training without a report."""


class RefusedError(Exception):
    """A permanent failure. The message is one sentence for the owner of the run, without text of rows."""


class DivergedError(Exception):
    """A loss or the norm of a gradient is not finite. The message names method and step."""


class RevokedError(Exception):
    """This process no longer owns the attempt: it must write and report nothing."""


class InterruptedTrainingError(Exception):
    """The machine is being reclaimed; a checkpoint is saved."""
