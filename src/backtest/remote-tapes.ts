import { wallClock } from '../clock/index.ts';
import { InputFault, parseTime } from '../domain/index.ts';
import { isRemote, localTapes } from '../history/index.ts';
import type { RemoteAccess } from './run-options.ts';
import type { RunSpec } from './run-spec.ts';

const GB = 1_000_000_000;

/**
 * Returns the spec with local copies in place of URLs. Missing copies are downloaded.
 * @throws FileFault for an unavailable tape, InputFault for an unusable URL, the reason of `signal`
 */
export async function withLocalTapes(
  spec: RunSpec,
  remote: RemoteAccess | undefined,
  signal?: AbortSignal,
): Promise<RunSpec> {
  const firstRemote = spec.tapes.find(isRemote);
  if (firstRemote === undefined) return spec;
  if (remote === undefined)
    throw new InputFault('tapes', firstRemote, 'a path, as no folder for copies of remote tapes is set');
  const { max_gb, s3_endpoint, s3_region } = spec.remote_tapes;
  const tapes = await localTapes(spec.tapes, {
    clock: wallClock(),
    cacheFolder: remote.cacheFolder,
    maxBytes: max_gb * GB,
    s3: { endpoint: s3_endpoint, region: s3_region, credentials: remote.credentials },
    from: spec.from === undefined ? undefined : parseTime('from', spec.from),
    signal,
    ...(remote.onProgress !== undefined && { onProgress: remote.onProgress }),
  });
  return { ...spec, tapes: [...tapes] };
}
