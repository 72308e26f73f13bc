// Which Python the local cloud runs on. Plain JavaScript: the doctor reads it before anything is installed.

const oldest = { major: 3, minor: 11 };

/** Commands under which a Python may be found, in the order in which they are tried. */
export const pythonCandidates = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];

export const oldestPython = `Python ${oldest.major}.${oldest.minor}`;

export const pythonAdvice =
  'Install it (sudo apt-get install python3 python3-venv, or brew install python@3.12), ' +
  'or name one: TUNESMITH_PYTHON=/path/to/python3.';

/** Whether `python --version` prints a version that the environment can be made with. */
export function isNewEnough(versionLine) {
  const match = /^Python (\d+)\.(\d+)/.exec(versionLine);
  if (match === null) return false;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor);
}
