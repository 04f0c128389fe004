import type { Registry } from '../../exchange/index.ts';

/** Told when everything that was put until now is durable. @throws Fault when it never will be */
export function durable(registry: Registry): Promise<void> {
  return new Promise((resolve, reject) => {
    registry.sync((fault) => {
      if (fault === undefined) resolve();
      else reject(fault);
    });
  });
}
