import type { z } from 'zod';
import { wallClock } from '../clock/index.ts';
import { InputFault } from '../domain/index.ts';
import { HttpClient, type HttpRequest, parseJson } from '../network/index.ts';

export interface JsonPost<S extends z.ZodType> extends Omit<HttpRequest, 'url'> {
  /** Base URL of the venue. */
  readonly url: string;
  readonly path: string;
  readonly answer: S;
}

/** Posts a request and reads the JSON of the answer, whatever its status. @throws InputFault that names --url */
export async function postJson<S extends z.ZodType>(post: JsonPost<S>): Promise<z.output<S>> {
  const { url, path, answer, ...request } = post;
  const endpoint = new URL(`${url.replace(/\/$/, '')}${path}`);
  const result = await new HttpClient({ clock: wallClock() }).send({ url: endpoint, ...request });
  if (result.type === 'failed') throw new InputFault('--url', url, `a venue that can be reached (${result.problem})`);
  try {
    return answer.parse(parseJson(result.text));
  } catch (cause) {
    throw new InputFault('--url', url, 'the base URL of a venue; another service answers there', { cause });
  }
}
