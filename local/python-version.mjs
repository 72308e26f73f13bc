// The Python version for the local cloud. Plain JavaScript: the doctor imports it before anything is installed.

const oldest = { major: 3, minor: 11 };

/** Commands for Python, in the order in which they are tried. */
export const pythonCandidates = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];

export const oldestPython = `Python ${oldest.major}.${oldest.minor}`;

export const pythonAdvice =
  'Install it (sudo apt-get install python3 python3-venv, or brew install python@3.12), ' +
  'or name one: TUNESMITH_PYTHON=/path/to/python3.';

/** Whether the output of `python --version` is a supported version. */
export function isNewEnough(versionLine) {
  const match = /^Python (\d+)\.(\d+)/.exec(versionLine);
  if (match === null) return false;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor);
}
