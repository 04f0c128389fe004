/**
 * Opens hash and curve once, at the start: WebAssembly and native modules load asynchronously. The one file of the lower
 * floors that waits; what it answers is synchronous (docs/decisions/0010-signing-is-handed-its-primitives.md).
 */
import { createKeccak } from 'hash-wasm';
import { Fault, FileFault } from '../domain/index.ts';
import { javascriptCurve } from './javascript-curve.ts';
import { isNativeModule, nativeCurve } from './native-curve.ts';
import type { Curve, Keccak256, Primitives } from './primitives.ts';
import { proveCurve } from './prove-curve.ts';
import { systemCurve } from './system-curve.ts';
import { isForeignLoader, openSystemLibrary } from './system-library.ts';

/** How to open. */
export interface OpenOptions {
  /** 32 random bytes that blind the native code against measurements of its time; no result depends on them. */
  readonly blinding: Uint8Array;
  /** This one and no other. Default: the first that loads and proves right of the system's library, the package's, JavaScript. */
  readonly backend?: 'system' | 'native' | 'javascript';
  /**
   * The system's libsecp256k1: the absolute path of a file, which has to be usable then, or `none`. Default: where the system
   * keeps its libraries (docs/signing.md).
   */
  readonly library?: string | undefined;
  /** Loads the native part of the package `secp256k1`. For tests. */
  readonly loadNative?: () => Promise<unknown>;
  /** Loads the package `koffi`, which calls the system's library. For tests. */
  readonly loadForeign?: () => Promise<unknown>;
}

/** Not the package's door, which falls back without a word: its native part, which throws where there is none. */
const NATIVE_PART: string = 'secp256k1/bindings.js';
/** Instead of a file: the system's library is not to be used. */
const NO_LIBRARY = 'none';
/** May be missing: it is an optional dependency. */
const FOREIGN: string = 'koffi';

/**
 * Opens what `createSigner` needs. The curve has signed and recovered known bytes before it is answered.
 * @throws Fault `SIGNING_BACKEND` when the wanted backend is not to be had, FileFault when the library that is named cannot be used
 */
export async function openPrimitives(options: OpenOptions): Promise<Primitives> {
  const keccak256 = await openKeccak();
  return { keccak256, curve: await openCurve(options) };
}

async function openKeccak(): Promise<Keccak256> {
  const hasher = await createKeccak(256);
  return (data) => {
    hasher.init();
    hasher.update(data);
    return hasher.digest('binary');
  };
}

async function openCurve(options: OpenOptions): Promise<Curve> {
  const { backend, library } = options;
  if (backend === 'javascript') return openJavascript(undefined);
  const reasons: string[] = [];
  if (backend !== 'native') {
    try {
      return await openSystem(options);
    } catch (cause) {
      if (backend === 'system' || (library !== undefined && library !== NO_LIBRARY)) throw noSystem(library, cause);
      reasons.push(reasonOf(cause));
    }
  }
  try {
    return await openPackage(options, reasons[0]);
  } catch (cause) {
    if (backend === 'native') {
      const remedy = 'Install with `npm ci`, or use JavaScript';
      throw new Fault('SIGNING_BACKEND', `native signing cannot be opened: ${reasonOf(cause)}. ${remedy}`, { cause });
    }
    return openJavascript([...reasons, reasonOf(cause)].join('; '));
  }
}

async function openSystem({ blinding, library, loadForeign = defaultOf(FOREIGN) }: OpenOptions): Promise<Curve> {
  if (library === NO_LIBRARY) throw new Error(`a libsecp256k1 of the system is not wanted (${NO_LIBRARY})`);
  const loader = await loadForeign();
  if (!isForeignLoader(loader)) throw new Error('koffi lacks functions that are used of it');
  return openSystemLibrary(loader, library, (found, name) => proveCurve(systemCurve(found, name, blinding)));
}

async function openPackage(
  { blinding, loadNative = defaultOf(NATIVE_PART) }: OpenOptions,
  reason: string | undefined,
): Promise<Curve> {
  const native = await loadNative();
  if (!isNativeModule(native)) throw new Error('the module lacks functions that are used of it');
  return proveCurve(nativeCurve(native, blinding, reason));
}

async function openJavascript(reason: string | undefined): Promise<Curve> {
  const { secp256k1 } = await import('@noble/curves/secp256k1');
  return proveCurve(javascriptCurve(secp256k1, reason));
}

function defaultOf(name: string): () => Promise<unknown> {
  return async () => {
    const module: { readonly default?: unknown } = await import(name);
    return module.default;
  };
}

/** Why a library of the system that has to be there is not; `library` where it was named. */
function noSystem(library: string | undefined, cause: unknown): Fault {
  const reason = reasonOf(cause);
  if (library === undefined || library === NO_LIBRARY) {
    return new Fault('SIGNING_BACKEND', `signing by the system's libsecp256k1 cannot be opened: ${reason}`, { cause });
  }
  const remedy = `Name the absolute path of one that was built with public key recovery, or ${NO_LIBRARY}, or nothing (HALFSPREAD_LIBSECP256K1)`;
  return new FileFault(library, undefined, `no libsecp256k1 that can be used: ${reason}`, remedy, { cause });
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
}
