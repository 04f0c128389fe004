/** A curve must sign and recover known bytes before it is used. */
import { Fault } from '../domain/index.ts';
import { hexBytes, toHex } from './hex.ts';
import type { Curve } from './primitives.ts';

/** Signature of key 1 for a digest of 32 times 0x2a, from viem and ethers. The public point of key 1 is the generator. */
const KEY = hexBytes(`0x${'00'.repeat(31)}01`) ?? new Uint8Array(32);
const DIGEST = new Uint8Array(32).fill(0x2a);
const SIGNED =
  '0x74a6b203feee506ab5c39ecb33a32769f79cbf765db4578d15f7e196fb6863a96e4b0679559655534b1c575b9857f1f2604eaf21edd0e703cf723042992c2cb401';
const GENERATOR =
  '0x0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8';
/** No point of the curve has x = 5, as 5^3 + 7 is not a square. */
const OFF_CURVE = hexBytes(`0x${'00'.repeat(31)}05${'00'.repeat(31)}01`) ?? new Uint8Array(64);

/** Returns the curve after checking it. @throws Fault `SIGNING_BACKEND` for a wrong key, signature or recovery */
export function checkCurve(curve: Curve): Curve {
  const rs = new Uint8Array(64);
  const recovery = curve.sign(DIGEST, KEY, rs);
  const point = new Uint8Array(65);
  const isRecovered = curve.recover(DIGEST, rs, recovery, point);
  const isFound = curve.recover(DIGEST, OFF_CURVE, 0, new Uint8Array(65));
  const isRight =
    curve.isPrivateKey(KEY) &&
    !curve.isPrivateKey(new Uint8Array(32)) &&
    `${toHex(rs)}0${recovery}` === SIGNED &&
    isRecovered &&
    !isFound &&
    toHex(point) === GENERATOR &&
    toHex(curve.publicKey(KEY)) === GENERATOR;
  if (isRight) return curve;
  const { library } = curve.backend;
  throw new Fault('SIGNING_BACKEND', `${library} gives a wrong signature for a known key: reinstall it`);
}
