/** An S3-compatible store (AWS, MinIO, Ceph, R2 …). The bucket stands in the path, which all of them accept. */
export interface S3Settings {
  /** Scheme, host and port, without a slash at the end. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * Reads `s3://KEY:SECRET@host[:port]/bucket?region=…&tls=off`. Null when the text is not such an address. Key and
 * secret may hold anything, percent-encoded where an address needs it. Default: region `us-east-1`, https.
 */
export function readS3Address(text: string): S3Settings | null {
  // With a scheme that it does not know, `URL` reads the host less strictly than with https.
  if (!text.startsWith("s3://")) return null;
  let url: URL;
  try {
    url = new URL(`https://${text.slice("s3://".length)}`);
  } catch {
    return null;
  }
  const [, bucket = "", ...deeper] = url.pathname.split("/");
  const tls = url.searchParams.get("tls") ?? "on";
  const region = url.searchParams.get("region") ?? "us-east-1";
  const known = [...url.searchParams.keys()].every((name) => name === "tls" || name === "region");
  const fits =
    url.username !== "" &&
    url.password !== "" &&
    url.hash === "" &&
    deeper.every((part) => part === "") &&
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    /^[a-z0-9-]{1,40}$/.test(region) &&
    (tls === "on" || tls === "off") &&
    known;
  if (!fits) return null;
  try {
    return {
      endpoint: `${tls === "off" ? "http" : "https"}://${hostOf(url, text)}`,
      bucket,
      region,
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    };
  } catch {
    return null;
  }
}

/** `URL` drops port 443, the default of https. With `tls=off` it was meant. */
const hostOf = (url: URL, text: string): string =>
  url.port === "" && /@[^/?]*:443(?:\/|$)/.test(text) ? `${url.hostname}:443` : url.host;
