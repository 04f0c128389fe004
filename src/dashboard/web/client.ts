/** The page's only connection to the API: queries and actions over HTTP, subscriptions over one WebSocket. */
import { createClient as createSocket } from 'graphql-ws';
import { useEffect, useSyncExternalStore } from 'react';
import { Client, fetchExchange, subscriptionExchange, useQuery, useSubscription } from 'urql';
import type { Document } from '../generated/documents.ts';
import { shareEqual } from './share-equal.ts';

/** Interval of pings, ms. The stream is lost if no ping is answered within two intervals. */
const PING_MS = 1_000;

const OWN_HEADERS = { 'x-halfspread': '1' };

/** Whether the stream is connected, and since when, epoch ms. */
export interface StreamState {
  readonly isUp: boolean;
  readonly since: number;
  /** Number of times that the stream was connected. */
  readonly connections: number;
}

let stream: StreamState = { isUp: false, since: Date.now(), connections: 0 };
const streamListeners = new Set<() => void>();

function setStreamUp(isUp: boolean): void {
  if (stream.isUp === isUp) return;
  stream = { isUp, since: Date.now(), connections: stream.connections + (isUp ? 1 : 0) };
  for (const listener of streamListeners) listener();
}

let pongTimeout: ReturnType<typeof setTimeout> | undefined;

function onPong(): void {
  clearTimeout(pongTimeout);
  pongTimeout = setTimeout(() => setStreamUp(false), 2 * PING_MS);
  setStreamUp(true);
}

const socket = createSocket({
  url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
  keepAlive: PING_MS,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  retryWait: (tries) => new Promise((resolve) => setTimeout(resolve, Math.min(5_000, 500 * 2 ** tries))),
  on: {
    connected: onPong,
    pong: onPong,
    closed: () => {
      clearTimeout(pongTimeout);
      setStreamUp(false);
    },
  },
});

export const client = new Client({
  url: '/graphql',
  preferGetMethod: false,
  fetchOptions: { headers: OWN_HEADERS, credentials: 'same-origin' },
  exchanges: [
    subscriptionExchange({
      forwardSubscription: ({ query, variables }) => ({
        subscribe: (sink) => ({
          unsubscribe: socket.subscribe(
            { query: query ?? '', variables: variables ?? {} },
            {
              ...sink,
              next: ({ data = null, errors }) =>
                sink.next({ data, ...(errors !== undefined && { errors: [...errors] }) }),
            },
          ),
        }),
      }),
    }),
    fetchExchange,
  ],
});

export function useStream(): StreamState {
  return useSyncExternalStore(listenToStream, () => stream);
}

function listenToStream(listener: () => void): () => void {
  streamListeners.add(listener);
  return () => streamListeners.delete(listener);
}

/** Returns the newest result of a subscription with these variables. Unchanged parts stay the same objects. */
export function useApiSubscription<Result, Variables extends object>(
  document: Document<Result, Variables>,
  variables: Variables,
): Result | undefined {
  const key = JSON.stringify(variables);
  const [{ data }] = useSubscription<Result, { readonly key: string; readonly result: Result }>(
    { query: document.text, variables },
    (last, next) => ({ key, result: last?.key === key ? shareEqual(last.result, next) : next }),
  );
  return data?.key === key ? data.result : undefined;
}

/** Returns all results of a subscription in one value; undefined before the first result. @param add adds a result */
export function useCollectedSubscription<Result, Variables extends object, Value>(
  document: Document<Result, Variables>,
  { variables, isPaused }: { readonly variables: Variables; readonly isPaused: boolean },
  add: (value: Value | undefined, result: Result) => Value,
): Value | undefined {
  const [{ data }] = useSubscription<Result, Value>({ query: document.text, variables, pause: isPaused }, add);
  return data;
}

/** Returns the result of a query. With `everyMs`, repeats the query that long after each response. */
export function useApiQuery<Result, Variables extends object>(
  document: Document<Result, Variables>,
  variables: Variables,
  everyMs?: number,
): { readonly data: Result | undefined; readonly problem: string | undefined } {
  const [{ data, error, fetching }, repeat] = useQuery<Result, Variables>({
    query: document.text,
    variables,
    requestPolicy: 'network-only',
  });
  useEffect(() => {
    if (everyMs === undefined || fetching) return undefined;
    const timer = setTimeout(() => repeat({ requestPolicy: 'network-only' }), everyMs);
    return () => clearTimeout(timer);
  }, [repeat, everyMs, fetching]);
  return { data, problem: error?.message };
}

/** Executes a mutation. @throws Error with the API's message */
export async function mutate<Result, Variables extends object>(
  document: Document<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const { data, error } = await client.mutation<Result, Variables>(document.text, variables).toPromise();
  if (error !== undefined) throw new Error(error.graphQLErrors[0]?.message ?? error.message);
  if (data === undefined) throw new Error('The dashboard did not answer');
  return data;
}

/** @returns the problem; undefined on success */
export async function signIn(secret: string): Promise<string | undefined> {
  try {
    const response = await post('/login', { secret });
    if (response.ok) return undefined;
    const body: { readonly problem?: string } = await response.json();
    return body.problem ?? `The dashboard answered ${response.status}`;
  } catch {
    return 'The dashboard does not answer';
  }
}

export async function signOut(): Promise<void> {
  await fetch('/logout', { method: 'POST', headers: OWN_HEADERS });
  location.reload();
}

export async function isSignedIn(): Promise<boolean> {
  const response = await post('/graphql', { query: '{ viewer { role } }' });
  return response.status !== 401;
}

function post(path: string, body: object): Promise<Response> {
  const headers = { ...OWN_HEADERS, 'content-type': 'application/json' };
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
}
