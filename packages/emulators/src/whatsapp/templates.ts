import { checkCards, checkOffer } from "./cards.ts";
import { GraphRefusal } from "./errors.ts";

interface TemplateButton {
  readonly type: string;
  readonly text?: string;
  readonly url?: string;
  readonly [key: string]: unknown;
}

export interface TemplateComponent {
  readonly type: string;
  readonly format?: string;
  readonly text?: string;
  readonly buttons?: readonly TemplateButton[];
  readonly [key: string]: unknown;
}

/** A message template as the platform stores it. */
export interface Template {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly category: string;
  readonly status: string;
  readonly parameter_format: "POSITIONAL" | "NAMED";
  readonly components: readonly TemplateComponent[];
  /** NONE unless it was refused. */
  readonly rejected_reason?: string;
  readonly quality_score?: { readonly score: string };
}

/** The required fields of a registration; the others have defaults. */
export type NewTemplate = Pick<Template, "name" | "language" | "components"> & Partial<Template>;

const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2,3})?$/;
const NAME = /^[a-z0-9_]{1,512}$/;
/** The account's id. */
export const TEMPLATE_LIMIT = 6000;

/** Templates by business account. (name, language) is the key of a send. */
export class TemplateRegistry {
  readonly #byAccount = new Map<string, Template[]>();
  #nextId = 594_425_479_261_596;

  add(wabaId: string, template: NewTemplate): Template {
    if (!NAME.test(template.name) || !LANGUAGE.test(template.language))
      throw new GraphRefusal(
        100,
        "name must be lower case letters, digits and _; language a code like en_US",
      );
    const list = this.list(wabaId);
    const at = list.findIndex((t) => t.name === template.name && t.language === template.language);
    if (at < 0 && list.length >= TEMPLATE_LIMIT)
      throw new GraphRefusal(100, "template limit reached");
    const whole: Template = {
      id: template.id ?? list[at]?.id ?? String(this.#nextId),
      name: template.name,
      language: template.language,
      category: template.category ?? "UTILITY",
      status: template.status ?? "APPROVED",
      parameter_format: template.parameter_format ?? "POSITIONAL",
      components: template.components,
      rejected_reason: template.rejected_reason ?? "NONE",
      quality_score: template.quality_score ?? { score: "UNKNOWN" },
    };
    // Templates that are given back after a restart have ids that were counted before it.
    this.#nextId = Math.max(this.#nextId, (Number(whole.id) || 0) + 1);
    if (at < 0) this.#byAccount.set(wabaId, [...list, whole]);
    else this.#replace(wabaId, whole.id, whole);
    return whole;
  }

  list(wabaId: string): readonly Template[] {
    return this.#byAccount.get(wabaId) ?? [];
  }

  find(wabaId: string, name: string, language: string): Template | undefined {
    return this.list(wabaId).find((t) => t.name === name && t.language === language);
  }

  setStatus(wabaId: string, id: string, status: string, reason = "NONE"): Template | undefined {
    return this.change(wabaId, id, { status, rejected_reason: reason });
  }

  /** Sets other words or another status; undefined when the account has no such template. */
  change(wabaId: string, id: string, to: Partial<Template>): Template | undefined {
    const found = this.list(wabaId).find((t) => t.id === id);
    if (!found) return undefined;
    const changed = { ...found, ...to };
    this.#replace(wabaId, id, changed);
    return changed;
  }

  remove(wabaId: string, name: string, id?: string): number {
    const list = this.list(wabaId);
    const kept = list.filter((t) => t.name !== name || (id !== undefined && t.id !== id));
    this.#byAccount.set(wabaId, kept);
    return list.length - kept.length;
  }

  #replace(wabaId: string, id: string, template: Template): void {
    this.#byAccount.set(
      wabaId,
      this.list(wabaId).map((t) => (t.id === id ? template : t)),
    );
  }
}

/** Distinct placeholders of a text, in order of first use. */
function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*([a-z0-9_]+)\s*\}\}/g)].map((m) => m[1] ?? ""))];
}

type Loose = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Refuses a send whose parameters do not fit the template, component by component. */
export function checkParameters(
  template: Template,
  sent: readonly Loose[],
  holds: (mediaId: string) => boolean,
): void {
  if (template.status === "PAUSED")
    throw new GraphRefusal(132015, "Template is paused and cannot be sent");
  if (template.status === "DISABLED")
    throw new GraphRefusal(132016, "Template is disabled permanently");
  if (template.status !== "APPROVED")
    throw new GraphRefusal(
      132001,
      `template name (${template.name}) does not exist in ${template.language}`,
    );
  const parametersOf = (type: string): readonly Loose[] => {
    const component = sent.find((c) => String(c["type"]).toLowerCase() === type);
    const parameters = component?.["parameters"];
    return Array.isArray(parameters) ? parameters.filter(isObject) : [];
  };
  for (const component of template.components) {
    switch (component.type.toUpperCase()) {
      case "BODY":
        checkTexts(template, "body", component.text ?? "", parametersOf("body"));
        break;
      case "HEADER":
        checkHeader(template, component, parametersOf("header"), holds);
        break;
      case "BUTTONS":
        checkButtons(component.buttons ?? [], sent);
        break;
      case "CAROUSEL":
        checkCards(component, sent);
        break;
      case "LIMITED_TIME_OFFER":
        checkOffer(component, sent);
        break;
      default:
        break;
    }
  }
  const has = (type: string) => template.components.some((c) => c.type.toUpperCase() === type);
  if (!has("HEADER") && parametersOf("header").length > 0)
    mismatch("header", parametersOf("header").length, 0);
  if (!has("BODY") && parametersOf("body").length > 0)
    mismatch("body", parametersOf("body").length, 0);
}

function mismatch(part: string, got: number, expected: number): never {
  throw new GraphRefusal(
    132000,
    `${part}: number of localizable_params (${got}) does not match the expected number of params (${expected})`,
  );
}

function checkTexts(template: Template, part: string, text: string, given: readonly Loose[]): void {
  const wanted = placeholders(text);
  if (given.length !== wanted.length) mismatch(part, given.length, wanted.length);
  let filled = text.length;
  for (const parameter of given) {
    const type = parameter["type"];
    if (type !== "text" && !(part === "body" && (type === "currency" || type === "date_time")))
      throw new GraphRefusal(
        132012,
        `${part}: Format mismatch, expected TEXT, received ${String(type)}`,
      );
    if (
      template.parameter_format === "NAMED" &&
      !wanted.includes(String(parameter["parameter_name"]))
    )
      throw new GraphRefusal(132012, `${part}: Parameter name is missing or empty`);
    if (type !== "text") continue;
    const value = parameter["text"];
    if (typeof value !== "string" || value.trim() === "")
      throw new GraphRefusal(100, `${part}: parameter of type text is missing text value`);
    if (/[\n\t]| {5,}/.test(value))
      throw new GraphRefusal(
        132018,
        "Param text cannot have new-line/tab characters or more than 4 consecutive spaces",
      );
    // "1024 characters if other component types are included, 32768 if body is the only component" (a header: 60).
    const most = part === "header" ? 60 : template.components.length > 1 ? 1_024 : 32_768;
    if (value.length > most)
      throw new GraphRefusal(132005, `${part}: a text parameter is too long`);
    filled += value.length;
  }
  if (filled > (part === "body" ? 32_768 : 600))
    throw new GraphRefusal(132005, `${part}: text is too long`);
}

function checkHeader(
  template: Template,
  header: TemplateComponent,
  given: readonly Loose[],
  holds: (mediaId: string) => boolean,
): void {
  const format = (header.format ?? "TEXT").toUpperCase();
  if (format === "TEXT") return checkTexts(template, "header", header.text ?? "", given);
  const type = given[0]?.["type"];
  if (given.length !== 1) mismatch("header", given.length, 1);
  if (String(type).toUpperCase() !== format)
    throw new GraphRefusal(
      132012,
      `header: Format mismatch, expected ${format}, received ${String(type).toUpperCase()}`,
    );
  const file = given[0]?.[format.toLowerCase()];
  if (format === "LOCATION") return;
  const { id, link } = isObject(file) ? file : {};
  if ((typeof id === "string") === (typeof link === "string"))
    throw new GraphRefusal(
      100,
      `header: ${format.toLowerCase()} must have exactly one of id and link`,
    );
  // To the platform, a file id that it does not have is a header of no known kind.
  if (typeof id === "string" && !holds(id))
    throw new GraphRefusal(132012, `header: Format mismatch, expected ${format}, received UNKNOWN`);
}

/** What each kind of button needs: the sub_type of the component and its one parameter. */
const BUTTONS: Readonly<
  Record<string, { subType: string; type: string; key: string; most: number }>
> = {
  URL: { subType: "url", type: "text", key: "text", most: 2000 },
  OTP: { subType: "url", type: "text", key: "text", most: 15 },
  COPY_CODE: { subType: "copy_code", type: "coupon_code", key: "coupon_code", most: 15 },
  QUICK_REPLY: { subType: "quick_reply", type: "payload", key: "payload", most: 256 },
};

function checkButtons(buttons: readonly TemplateButton[], sent: readonly Loose[]): void {
  const ofButton = (one: Loose) => String(one["type"]).toLowerCase() === "button";
  for (const one of sent.filter(ofButton))
    if (buttons[Number(one["index"])] === undefined)
      throw new GraphRefusal(
        132000,
        `buttons: there is no button at index ${String(one["index"])}`,
      );
  for (const [index, button] of buttons.entries()) {
    const type = button.type.toUpperCase();
    const required =
      ["COPY_CODE", "OTP", "FLOW", "MPM", "ORDER_DETAILS"].includes(type) ||
      (type === "URL" && /\{\{/.test(button.url ?? ""));
    const given = sent.find((c) => ofButton(c) && String(c["index"]) === String(index));
    if (required && !given)
      throw new GraphRefusal(
        131008,
        `buttons: Button at index ${index} of type ${type} requires a parameter`,
      );
    if (given && !required && type !== "QUICK_REPLY" && type !== "CATALOG")
      throw new GraphRefusal(132000, `buttons: Button at index ${index} takes no parameter`);
    const takes = BUTTONS[type];
    if (given && takes) checkButton(index, takes, given);
  }
}

function checkButton(
  index: number,
  { subType, type, key, most }: { subType: string; type: string; key: string; most: number },
  given: Loose,
): void {
  const where = `buttons: Button at index ${index}`;
  if (String(given["sub_type"]).toLowerCase() !== subType)
    throw new GraphRefusal(132012, `${where}: sub_type must be ${subType}`);
  const list = Array.isArray(given["parameters"]) ? given["parameters"].filter(isObject) : [];
  const [parameter] = list;
  if (!parameter || list.length !== 1) return mismatch(where, list.length, 1);
  if (parameter["type"] !== type)
    throw new GraphRefusal(
      132012,
      `${where}: Format mismatch, expected ${type}, received ${String(parameter["type"])}`,
    );
  const value = parameter[key];
  if (typeof value !== "string" || value === "")
    throw new GraphRefusal(100, `${where}: parameter of type ${type} is missing its value`);
  if (value.length > most) throw new GraphRefusal(132005, `${where}: value is too long`);
}
