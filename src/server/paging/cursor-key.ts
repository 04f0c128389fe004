/** The key of cursors: made once, kept with everything else, so that cursors outlive a restart. */
import { secureBytes } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';
import { CURSOR_KEY_BYTES } from './cursors.ts';

const KEY = 'cursor';
const HEX_KEY = /^[0-9a-f]{64}$/;

/**
 * The key that the registry has, or a new one once it is durable there.
 * @throws Fault when what stands there is no key, or it cannot be written
 */
export async function cursorKey(registry: Registry): Promise<Uint8Array> {
  const known = registry.find('secret', KEY);
  if (known !== undefined) {
    if (typeof known === 'string' && HEX_KEY.test(known)) return new Uint8Array(Buffer.from(known, 'hex'));
    throw new Fault('REGISTRY', 'the key of cursors is not 64 hex digits. Put back a good copy of the database');
  }
  const key = secureBytes(CURSOR_KEY_BYTES);
  registry.put({ table: 'secret', key: KEY, value: Buffer.from(key).toString('hex') });
  await new Promise<void>((resolve, reject) => {
    registry.sync((fault) => {
      if (fault === undefined) resolve();
      else reject(fault);
    });
  });
  return key;
}
