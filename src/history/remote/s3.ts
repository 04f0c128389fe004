/** Turns an `s3://` URL into a signed HTTPS request, for S3 and compatible services. */
import { InputFault } from '../../domain/index.ts';

export interface S3Settings {
  /** URL of another service; the bucket becomes the first part of the path. Undefined for Amazon S3. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Undefined for unsigned requests, which suffice for a public bucket. */
  readonly credentials: S3Credentials | undefined;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Returns the request for `s3://bucket/key`, signed by AWS Signature Version 4. @throws InputFault without a bucket */
export async function makeS3Request(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { endpoint, region, credentials }: S3Settings,
): Promise<{ readonly url: URL; readonly headers: Readonly<Record<string, string>> }> {
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
