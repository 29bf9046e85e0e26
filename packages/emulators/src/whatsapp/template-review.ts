import { GraphRefusal } from "./errors.ts";

/*
 * The platform's refusals of a submitted template: the codes that its senders meet, with its own sentences. The
 * ratio of words to variables is not published; senders found that 2n + 1 fixed words are needed.
 */

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const objects = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isObject) : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Refused with code 100, a subcode and sentences for a person. */
function refuse(subcode: number, title: string, words: string): never {
  throw new GraphRefusal(100, undefined, {
    subcode,
    text: "Invalid parameter",
    user: { title, words },
  });
}

/** Code 100 without a subcode: a parameter is missing or malformed. */
function invalid(details: string): never {
  throw new GraphRefusal(100, details);
}

/** Refuses a name or language that exists, or is still being deleted. */
export const nameTaken = (): never =>
  refuse(
    2388024,
    "Content in this language already exists",
    "There is already English content for this template. You can create a new template and try again.",
  );

/** How the variables of a template are written: {{1}} or {{first_name}}. Those of buttons always have numbers. */
type Format = "POSITIONAL" | "NAMED";

/** Checks the components of a template; `holds` tells whether a handle belongs to an upload. */
export function reviewComponents(
  components: unknown,
  holds: (handle: string) => boolean,
  format: Format,
): void {
  const parts = objects(components);
  const of = (type: string) => parts.filter((one) => text(one["type"]).toUpperCase() === type);
  for (const type of ["HEADER", "BODY", "FOOTER", "BUTTONS"])
    if (of(type).length > 1) invalid(`components must have at most one ${type}`);
  const [body] = of("BODY");
  if (body === undefined) return invalid("components must have a BODY");
  const [header] = of("HEADER");
  const [footer] = of("FOOTER");
  const [buttons] = of("BUTTONS");
  if (header) reviewHeader(header, holds, format);
  reviewBody(body, format);
  if (footer) reviewFooter(footer);
  if (buttons) reviewButtons(objects(buttons["buttons"]));
}

const tooLong = (part: string, most: number): never =>
  refuse(
    2388040,
    "Character Limit Exceeded",
    `The ${part} of the message template has more than ${most} characters.`,
  );

function reviewHeader(header: Loose, holds: (handle: string) => boolean, variables: Format): void {
  const format = text(header["format"]).toUpperCase();
  const example = isObject(header["example"]) ? header["example"] : {};
  if (["IMAGE", "VIDEO", "DOCUMENT"].includes(format)) {
    const handles = Array.isArray(example["header_handle"]) ? example["header_handle"] : [];
    if (!handles.some((one) => typeof one === "string" && holds(one)))
      refuse(
        2388084,
        "Message template is missing a sample",
        "The header of this type needs a sample: header_handle must be the handle of an upload.",
      );
    return;
  }
  if (format === "LOCATION") return;
  if (format !== "TEXT")
    invalid("header format must be one of {TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION}");
  const words = text(header["text"]);
  const bad = (why: string) => refuse(2388047, "Message header format is incorrect", why);
  if (words === "") bad("The message header cannot be empty.");
  if (words.length > 60) tooLong("header", 60);
  if (/\n/.test(words) || /[*~`]|\p{Extended_Pictographic}/u.test(words))
    bad(
      "The message header can't have any new lines, formatting characters, emojis, or asterisks.",
    );
  const places = placesOf(words, variables);
  if (places.length > 1) bad("The message header can have only one variable.");
  if (!hasSamples(places, example, "header", variables))
    bad("The message header has a variable without a sample.");
}

/** What stands between double braces, in the order of the text. Braces of the other format are refused. */
function placesOf(words: string, format: Format): string[] {
  const places = [...words.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, place = ""]) => place);
  const fits = format === "NAMED" ? /^[a-z_]+$/ : /^\d+$/;
  const other = places.find((place) => !fits.test(place));
  if (other !== undefined)
    refuse(
      2388072,
      "Message body format is incorrect",
      format === "NAMED"
        ? `Variable parameters must be lowercase characters and underscores. (${other})`
        : `Variable parameters must be whole numbers with two sets of curly brackets. (${other})`,
    );
  return places;
}

/** Whether each variable has an example, in the form of its format. */
function hasSamples(
  places: readonly string[],
  example: Loose,
  part: "header" | "body",
  format: Format,
): boolean {
  if (format === "NAMED") {
    const given = objects(example[`${part}_text_named_params`]);
    return places.every((place) =>
      given.some((one) => one["param_name"] === place && text(one["example"]) !== ""),
    );
  }
  const list: unknown = example[`${part}_text`];
  const samples: unknown = part === "body" && Array.isArray(list) ? list[0] : list;
  const filled = Array.isArray(samples) ? samples.filter((one) => text(one) !== "") : [];
  return filled.length >= places.length;
}

function reviewBody(body: Loose, format: Format): void {
  const words = text(body["text"]);
  const bad = (why: string) => refuse(2388072, "Message body format is incorrect", why);
  if (words === "") bad("The message body cannot be empty.");
  if (words.length > 1024) tooLong("body", 1024);
  const places = [...new Set(placesOf(words, format))];
  const numbers = places.map(Number).toSorted((a, b) => a - b);
  if (format === "POSITIONAL" && numbers.some((number, index) => number !== index + 1))
    bad("The variables of the message body must be numbered from 1 without gaps.");
  if (/\n{5,}|\t| {5,}/.test(words))
    bad("The message body can't have more than four new lines or spaces in a row.");
  if (places.length === 0) return;
  const trimmed = words.trim().replace(/[.,;:!?]+$/, "");
  if (/^\{\{\s*\w+\s*\}\}/.test(trimmed) || /\{\{\s*\w+\s*\}\}$/.test(trimmed))
    refuse(
      2388299,
      "Variables can't be at the start or end of the template",
      "Variables can't be at the start or end of the message body.",
    );
  const left = words.replaceAll(/\{\{[^}]*\}\}/g, " ").match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  if (left < places.length * 2 + 1)
    refuse(
      2388293,
      "Parameters words ratio exceeds limit",
      "This template has too many variables for its length. Reduce the number of variables or increase the message length of the body.",
    );
  const example = isObject(body["example"]) ? body["example"] : {};
  if (!hasSamples(places, example, "body", format))
    refuse(
      2388043,
      'Message template "components" param is missing expected field(s)',
      "component of type BODY is missing expected field(s) (example)",
    );
}

function reviewFooter(footer: Loose): void {
  const words = text(footer["text"]);
  const bad = (why: string) => refuse(2388073, "Message footer format is incorrect", why);
  if (words === "") bad("The message footer cannot be empty.");
  if (words.length > 60) tooLong("footer", 60);
  if (/\{\{|\n/.test(words)) bad("The message footer can't have variables or new lines.");
}

function reviewButtons(buttons: readonly Loose[]): void {
  if (buttons.length === 0 || buttons.length > 10) invalid("buttons must be 1 to 10");
  const typeOf = (button: Loose) => text(button["type"]).toUpperCase();
  const count = (type: string) => buttons.filter((one) => typeOf(one) === type).length;
  if (count("URL") > 2) invalid("buttons must have at most 2 of type URL");
  if (count("PHONE_NUMBER") > 1) invalid("buttons must have at most 1 of type PHONE_NUMBER");
  const quick = buttons.map((one) => typeOf(one) === "QUICK_REPLY");
  if (quick.filter((one, index) => index > 0 && one !== quick[index - 1]).length > 1)
    invalid("buttons of type QUICK_REPLY must be grouped");
  for (const button of buttons) {
    const label = text(button["text"]);
    if (label === "") invalid("buttons: text is required");
    if (label.length > 25) tooLong("button text", 25);
    if (typeOf(button) === "URL") reviewUrl(button);
    if (typeOf(button) === "PHONE_NUMBER" && !/^\+?\d{5,20}$/.test(text(button["phone_number"])))
      invalid("buttons: phone_number is not valid");
  }
}

function reviewUrl(button: Loose): void {
  const url = text(button["url"]);
  if (!/^https?:\/\/[^\s/]+/.test(url) || url.length > 2000) invalid("buttons: url is not valid");
  if (!url.includes("{{")) return;
  if (!/^[^{]*\{\{1\}\}$/.test(url)) invalid("buttons: a url can only end with one variable");
  const [sample] = Array.isArray(button["example"]) ? button["example"] : [button["example"]];
  if (text(sample) === "") invalid("buttons: a url with a variable needs an example");
}
