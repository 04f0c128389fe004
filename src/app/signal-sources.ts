import { dirname, resolve } from 'node:path';
import type { LiveConfiguration } from '../config/live-file.ts';
import type { LiveFile } from '../config/live-schema.ts';
import { checkSignalName, InputFault } from '../domain/index.ts';
import type { Redactor, SignalSource } from '../ops/index.ts';
import { createSecretReader } from './venue-access.ts';

/** @throws InputFault for a missing secret, an invalid URL or an invalid signal name */
export function openSignalSources(live: LiveConfiguration, redactor: Redactor): readonly SignalSource[] {
  return readSources(live, createSecretReader(live, redactor).readHeaders);
}

/** Checks the sources without reading secrets. @throws InputFault as `openSignalSources`, except for secrets */
export function checkSignalSources(live: LiveConfiguration): readonly SignalSource[] {
  return readSources(live, () => ({}));
}

function readSources(
  { configuration, file }: LiveConfiguration,
  readHeaders: (headers: LiveFile['venue']['headers'], field: string) => Readonly<Record<string, string>>,
): readonly SignalSource[] {
  const folder = dirname(configuration.path);
  return file.signals.map((source, index): SignalSource => {
    const field = `signals[${index}]`;
    if ('file' in source) return { type: 'file', path: resolve(folder, source.file) };
    const { values, where } = source;
    for (const name of Object.keys(values)) checkSignalName(`${field}.values`, name);
    const headers = readHeaders(source.headers, `${field}.headers`);
    const mapping = { values, where, headers };
    if ('url' in source) {
      return {
        type: 'http',
        url: parseUrl(`${field}.url`, source.url, /^https?:$/, 'https://'),
        everyMs: source.every_ms,
        ...mapping,
      };
    }
    const url = parseUrl(`${field}.ws_url`, source.ws_url, /^wss?:$/, 'wss://');
    return { type: 'socket', url, subscribe: messageText(`${field}.subscribe`, source.subscribe), ...mapping };
  });
}

/** Returns a text unchanged, and any other value as JSON. @throws InputFault for a value without JSON */
function messageText(field: string, message: unknown): string | undefined {
  if (message === undefined || typeof message === 'string') return message;
  try {
    return JSON.stringify(message);
  } catch (cause) {
    throw new InputFault(field, message, 'a message that JSON can represent', { cause });
  }
}

function parseUrl(field: string, text: string, protocol: RegExp, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The URL may contain a secret, so the fault does not show the URL.
  if (url === undefined || !protocol.test(url.protocol) || url.hash !== '')
    throw new InputFault(field, '[not shown]', `a URL that begins with ${example}, without a fragment`);
  return url;
}
