/** One request of a command line. */
import { wallClock } from '../clock/index.ts';
import { InputFault } from '../domain/index.ts';
import { HttpClient, type HttpRequest } from '../network/index.ts';

/** Answers the text of whatever came back, of any status. @throws InputFault naming --url where nothing can be taken */
export async function posted(url: string, path: string, request: Omit<HttpRequest, 'url'>): Promise<string> {
  const place = new URL(`${url.replace(/\/$/, '')}${path}`);
  const result = await new HttpClient({ clock: wallClock() }).send({ url: place, ...request });
  if (result.type === 'answer') return result.text;
  throw new InputFault('--url', url, `a venue that can be reached there (${result.problem})`);
}
