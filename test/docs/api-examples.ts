/** Reads the examples of the API pages. Runs curl examples in a shell and TypeScript examples as functions. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { createClient } from 'graphql-ws';
import { privateKeyToAccount } from 'viem/accounts';
import WebSocket from 'ws';
import type { ENVIRONMENT } from '../../docs/generator/examples.ts';
import { ROOT } from '../cli/halfspread.ts';

/** The environment variables that the examples use. */
export type Environment = Partial<Record<keyof typeof ENVIRONMENT | 'PATH', string>>;

/** The request that an example sends. */
export interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly query: string; readonly variables: object };
}

/** The code of each section of the three pages by operation name and language. */
export const SECTIONS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  ['queries', 'mutations', 'subscriptions'].flatMap((page) =>
    readFileSync(join(ROOT, `docs/api/${page}.md`), 'utf8')
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const blocks = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
        return [
          section.split('\n', 1)[0] ?? '',
          new Map(blocks.map(([, language = '', text = '']) => [language, text])),
        ] as const;
      }),
  ),
);

/** Returns the request of a curl example. A shell runs it with a `curl` function that prints its arguments. */
export function curlRequest(name: string, environment: Environment): Request {
  const script = `curl() { printf '%s\\0' "$@"; }\n${code(name, 'sh')}`;
  const received = execFileSync('sh', ['-euc', script], { env: environment, encoding: 'utf8', timeout: 120_000 });
  const [silent, url = '', ...rest] = received.split('\0').slice(0, -1);
  if (silent !== '-s') throw new Error(`${name}: unexpected ${silent}`);
  const headers: Record<string, string> = {};
  let body = '';
  for (let at = 0; at < rest.length; at += 2) {
    const [option, value = ''] = [rest[at], rest[at + 1]];
    if (option === '-d') body = value;
    else if (option === '-H') headers[value.split(': ', 1)[0] ?? ''] = value.slice(value.indexOf(': ') + 2);
    else throw new Error(`${name}: unexpected ${option}`);
  }
  return { url, headers, body: JSON.parse(body) };
}

/** Returns the request of a TypeScript example, with the white space of the document as in the curl example. */
export async function fetchRequest(name: string, environment: Environment): Promise<Request> {
  let received: Request | undefined;
  const send = async (url: string, sent: { readonly headers: Record<string, string>; readonly body: string }) => {
    const { query, variables } = JSON.parse(sent.body);
    received = { url, headers: sent.headers, body: { query: query.replace(/\s+/g, ' '), variables } };
    return { json: async () => ({}) };
  };
  const run = new AsyncFunction('fetch', 'process', 'console', code(name, 'ts'));
  await run(send, { env: environment }, { log() {} });
  if (received === undefined) throw new Error(`${name} sends no request`);
  return received;
}

/** Returns the first event of a subscription example. @param trigger called when the venue has the subscription */
export async function firstEvent(
  name: string,
  environment: Environment,
  host: string,
  trigger: () => Promise<unknown>,
): Promise<{ readonly data?: Readonly<Record<string, unknown>>; readonly errors?: unknown }> {
  const text = code(name, 'ts')
    .replace(/^import .*\n/gm, '')
    .replace('127.0.0.1:4000', host);
  let triggered: Promise<unknown> = Promise.resolve();
  class TriggeringSocket extends WebSocket {
    override send(frame: string | Buffer): void {
      super.send(frame);
      if (!String(frame).includes('"subscribe"')) return;
      // Frames are answered in order, so the pong shows that the venue has the subscription.
      this.once('pong', () => {
        triggered = trigger();
      });
      this.ping();
    }
  }
  const stop = new Error('received enough');
  const events: object[] = [];
  const log = (event: string): never => {
    events.push(JSON.parse(event));
    throw stop;
  };
  const run = new AsyncFunction('createClient', 'WebSocket', 'process', 'console', text);
  await run(createClient, TriggeringSocket, { env: environment }, { log }).catch((error: unknown) => {
    if (error !== stop) throw error;
  });
  await triggered;
  return events[0] ?? {};
}

/** Returns the lines that the login example of `docs/api.md` prints. @param key 64 hex digits */
export async function loginLines(key: string, host: string): Promise<readonly string[]> {
  const page = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
  const text = /^```ts\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '';
  const module = stripTypeScriptTypes(text)
    .replace(/^import .*\n/gm, '')
    .replace('127.0.0.1:4000', host);
  const lines: string[] = [];
  const run = new AsyncFunction('privateKeyToAccount', 'process', 'console', module);
  await run(privateKeyToAccount, { env: { PRIVATE_KEY: key } }, { log: (line: string) => lines.push(line) });
  return lines;
}

/** Returns the environment that a shell needs. */
export function bareEnvironment(): Environment {
  const { PATH = '' } = process.env;
  return { PATH };
}

function code(name: string, language: string): string {
  const text = SECTIONS.get(name)?.get(language);
  if (text === undefined) throw new Error(`docs/api has no ${language} for ${name}`);
  return text;
}

const AsyncFunction: new (...parts: string[]) => (...args: unknown[]) => Promise<void> = Object.getPrototypeOf(
  async () => {},
).constructor;
