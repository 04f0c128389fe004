/** Exit codes, kept for scripts; docs/cli.md is made from this list. */
export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  data: 3,
  strategy: 4,
  venue: 5,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'The command did what it was asked.',
  internal: 'A fault of halfspread itself, such as a broken invariant; the stack is printed.',
  usage:
    "The command line, a configuration file, the name of a strategy, a parameter or the version of Node is wrong; the heap is too small; a port is taken; a venue refused an operator's command.",
  data: 'A file cannot be read or written, or is missing, truncated or damaged: a tape, a recording, the source of a strategy, the database of a venue.',
  strategy: 'A strategy threw: everything was cancelled; the stack and the event that caused it are printed.',
  venue:
    'A venue is out of reach, is none, refuses, or does not let the account in; what a bot and the venue know of its orders and holdings contradicts each other; a bot was stopped and the venue did not say that nothing is open. Everything was cancelled as far as that could be done.',
  interrupted:
    'Interrupted by SIGINT (Ctrl+C): everything was cancelled, no report was written. (`run` ends with 0 once the venue has said that nothing of it is open: that is how it is ended.) A tape that was being made stays behind as `.tape.partial`; delete it. A venue answered what ran and closed its database.',
  terminated: 'Stopped by SIGTERM, likewise.',
};
