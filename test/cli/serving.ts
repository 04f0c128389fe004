/** Runs a venue as a process and sends requests to it. */
import { afterThisTest } from '../cleanup.ts';
import { type Ended, ended, start } from './halfspread.ts';

/** A venue that accepts connections. */
export interface Serving {
  readonly url: string;
  /** The operators' token, if the venue printed it. */
  readonly token: string | undefined;
  /** The parsed log lines so far. */
  logged(): readonly { readonly msg: string; readonly [field: string]: unknown }[];
  query(text: string, variables?: object): Promise<unknown>;
  operate(command: string, args?: object): Promise<unknown>;
  /** Resolves when the process ends. */
  readonly end: Promise<Ended>;
  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<Ended>;
}

/** Starts a venue on a free port and waits for its ready line. */
export async function serving(args: readonly string[], cwd: string, knownToken?: string): Promise<Serving> {
  const child = start(['serve', '--port', '0', ...args], cwd);
  afterThisTest.add(() => child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  const end = ended(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.stdout?.on('data', (chunk: string) => {
      stdout += chunk;
      const ready = /^listening on (\S+)\n/.exec(stdout)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    child.once('close', () => reject(new Error(`the venue ended before it listened: ${stderr}`)));
  });
  const token = /shown only once: (\S+)/.exec(stderr)?.[1] ?? knownToken;
  const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const sent = { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, {
      ...sent,
      headers: { 'content-type': 'application/json', ...headers },
    });
    return answer.json();
  };
  return {
    url,
    token,
    logged: () =>
      stderr
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line)),
    query: (text, variables) => post('/graphql', { query: text, variables }),
    operate: (command, more) => post('/operator', { command, ...more }, { authorization: `Bearer ${token}` }),
    end,
    async stop(signal) {
      child.kill(signal);
      return end;
    },
  };
}

/** Returns a field of the log line with this message. */
export function loggedField({ logged }: Serving, message: string, field: string): unknown {
  return logged().find(({ msg }) => msg === message)?.[field];
}
