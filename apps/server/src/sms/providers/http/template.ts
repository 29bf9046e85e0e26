/** The names that a template may contain. */
const PLACEHOLDERS = ["to", "text", "from", "id", "lang", "receipt_url"] as const;
type RequestValue = (typeof PLACEHOLDERS)[number];
export type Values = Readonly<Record<RequestValue, string>>;

/** The format of a body, and with it how a value is put into it. */
export const BODY_FORMS = {
  form: { contentType: "application/x-www-form-urlencoded", escape: forUrl },
  json: {
    contentType: "application/json",
    escape: (value) => JSON.stringify(value.toWellFormed()).slice(1, -1),
  },
  xml: { contentType: "text/xml; charset=utf-8", escape: forXml },
} satisfies Record<string, { contentType: string; escape: (value: string) => string }>;

/** For a path or a query: no value can end its parameter. */
export function forUrl(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

const XML: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** For an element or an attribute. Control characters, which XML 1.0 cannot hold, are dropped. */
function forXml(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u{fffe}\u{ffff}]/gu, (one) => ("\t\n\r".includes(one) ? one : ""))
    .replaceAll(/[&<>"']/g, (one) => XML[one] ?? one);
}

const NAMED = /\{\{\s*([^{}]{0,40}?)\s*\}\}/g;

/** Puts values into a template, each escaped, in one pass: a value that looks like a placeholder stays a value. */
export function fill(template: string, values: Values, escape: (value: string) => string): string {
  return template.replaceAll(NAMED, (whole, name: string) => {
    const known = PLACEHOLDERS.find((one) => one === name);
    return known === undefined ? whole : escape(values[known]);
  });
}

/** The fault of a template, in words; null when every placeholder is known. */
export function templateFault(template: string): string | null {
  for (const [, name = ""] of template.matchAll(NAMED)) {
    if (!PLACEHOLDERS.some((one) => one === name))
      return `{{${name}}} is none of ${PLACEHOLDERS.join(", ")}`;
  }
  return null;
}
