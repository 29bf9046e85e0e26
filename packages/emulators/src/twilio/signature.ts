import { createHmac } from "node:crypto";

/** X-Twilio-Signature of a form call: the whole address, then name and value of each parameter in the order of names. */
export function signForm(
  authToken: string,
  url: string,
  form: Readonly<Record<string, string>>,
): string {
  const text = Object.keys(form)
    .toSorted()
    .reduce((whole, name) => whole + name + (form[name] ?? ""), url);
  return createHmac("sha1", authToken).update(text, "utf8").digest("base64");
}
