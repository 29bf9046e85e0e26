import { createHash, createHmac } from "node:crypto";

export type VonageSignatureMethod = "md5hash" | "md5" | "sha1" | "sha256" | "sha512";

/** `sig` of a signed call: `&name=value` in the order of names, `&` and `=` of a value replaced by `_`. */
export function signVonage(
  parameters: Readonly<Record<string, string>>,
  secret: string,
  method: VonageSignatureMethod,
): string {
  const text = Object.keys(parameters)
    .filter((name) => name !== "sig")
    .toSorted()
    .map((name) => `&${name}=${(parameters[name] ?? "").replaceAll(/[&=]/g, "_")}`)
    .join("");
  return method === "md5hash"
    ? createHash("md5")
        .update(text + secret)
        .digest("hex")
    : createHmac(method, secret).update(text).digest("hex");
}
