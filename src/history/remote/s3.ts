/** Buckets of S3 and of what speaks its language: an `s3://` URL as a signed request over HTTPS. */
import { InputFault } from '../../domain/index.ts';

export interface S3Settings {
  /** URL of a service that is not Amazon's; the bucket becomes the first part of the path. Undefined: Amazon's. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Undefined: requests are not signed, which is enough for a public bucket. */
  readonly credentials: S3Credentials | undefined;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

export interface SignedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The request for an object of a bucket. It is signed by AWS Signature Version 4, at the time of the call.
 * @param url `s3://bucket/key`
 * @throws InputFault for a URL without a bucket
 */
export async function s3Request(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { endpoint, region, credentials }: S3Settings,
): Promise<SignedRequest> {
  const { hostname: bucket, pathname } = url;
  if (bucket === '') throw new InputFault('tapes', url.href, 's3://bucket/key');
  const target =
    endpoint === undefined
      ? new URL(`https://${bucket}.s3.${region}.amazonaws.com${pathname}`)
      : new URL(`${endpoint.replace(/\/$/, '')}/${bucket}${pathname}`);
  if (credentials === undefined) return { url: target, headers };
  const { AwsV4Signer } = await import('aws4fetch');
  const { sessionToken, ...keys } = credentials;
  const signer = new AwsV4Signer({
    ...keys,
    ...(sessionToken !== undefined && { sessionToken }),
    url: target.href,
    headers,
    service: 's3',
    region,
  });
  const signed = await signer.sign();
  return { url: target, headers: Object.fromEntries(signed.headers) };
}
