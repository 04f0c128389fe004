/** Signs and recovers in a loop, and prints the signers and the last digest. Runs as a process or a worker thread. */
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { createSigner, loadPrimitives, toHex } from '../../src/signing/index.ts';

const requestedBackend: unknown = parentPort === null ? process.argv[2] : workerData.backend;
const backend = (['native', 'javascript'] as const).find((each) => each === requestedBackend);
if (backend === undefined) throw new Error(`no backend ${requestedBackend}`);
const seed: number = parentPort === null ? 0 : workerData.seed;

const signer = createSigner(await loadPrimitives({ blinding: new Uint8Array(32).fill(seed), backend }));
const key = signer.key(new Uint8Array(32).fill(5));
let digest: Uint8Array = new Uint8Array(32);
let signers = new Set<string>();
for (let round = 0; round < (backend === 'javascript' ? 20 : 500); round += 1) {
  const signature = signer.sign(digest, key);
  const found = signer.recover(digest, signature);
  signers = signers.add(found.ok ? found.address : found.code);
  digest = signer.keccak256(Buffer.from(signature));
}
const result = `${[...signers].join(' ')} ${toHex(digest)}`;
if (parentPort === null) process.stdout.write(`${result}\n`);
else parentPort.postMessage(result);
