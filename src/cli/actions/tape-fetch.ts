import { z } from 'zod';
import { parseRunSpec, withLocalTapes } from '../../backtest/index.ts';
import { InputFault } from '../../domain/index.ts';
import { isRemote } from '../../history/index.ts';
import { action, flag, optionalText } from '../command.ts';
import { REMOTE_TAPES, remoteTapes, remoteWithBar } from '../remote-tapes.ts';

const OPTIONS = { where: optionalText, from: z.string().optional(), ...REMOTE_TAPES, json: flag };

/** Prints the path of each copy, a tape or a folder. */
export const tapeFetch = action(OPTIONS, async ({ terminal }, urls, options) => {
  const { where, from, json } = options;
  const local = urls.find((url) => !isRemote(url));
  if (local !== undefined) throw new InputFault('url', local, 'a URL that begins with https://, http:// or s3://');
  const spec = parseRunSpec({
    strategy: 'none',
    tapes: urls.map((url) => (where === undefined ? url : { folder: url, where })),
    ...(from !== undefined && { from }),
    remote_tapes: remoteTapes(options),
  });
  const { tapes } = await withLocalTapes(spec, remoteWithBar(terminal.err));
  const paths = tapes.map((entry) => (typeof entry === 'string' ? entry : entry.folder));
  terminal.out.write(json ? `${JSON.stringify({ paths })}\n` : `${paths.join('\n')}\n`);
});
