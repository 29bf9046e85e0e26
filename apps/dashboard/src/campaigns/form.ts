import type { InputOf } from "../api/call.ts";
import type { Campaign, CampaignTemplate, CampaignWay } from "./contract.ts";

/** A campaign as the server takes it. */
export type CampaignDraft = InputOf<"createBroadcast">["body"];

/** One text of the campaign in the form: for all, or for one variant. */
export interface FormText {
  readonly name: string;
  /** Percent of the audience. */
  readonly share: number;
  readonly body: string;
  readonly templateId: string;
  /** By the template's variables. */
  readonly variables: Readonly<Record<string, string>>;
  readonly headerText: string;
  readonly headerFile: { readonly id: string; readonly name: string } | null;
  readonly buttons: Readonly<Record<string, string>>;
}

export interface Form {
  readonly name: string;
  /** Empty: all contacts. */
  readonly segmentId: string;
  /** A channel's id, `sms`, or empty while none is chosen. */
  readonly way: string;
  readonly kind: CampaignDraft["kind"];
  readonly texts: readonly FormText[];
  /** The percentage that gets nothing; only with variants. */
  readonly holdout: number;
  readonly replyDays: number;
  readonly when: "now" | "at";
  /** In the zone `timeZone`: `2026-12-01T09:00`. */
  readonly at: string;
  readonly timeZone: string;
  readonly localTime: boolean;
  readonly quiet: boolean;
  readonly quietFrom: string;
  readonly quietUntil: string;
  /** Messages a minute; empty: the number's usual pace. */
  readonly rate: string;
}

export const SMS = "sms";

export const NEW_TEXT: FormText = {
  name: "",
  share: 100,
  body: "",
  templateId: "",
  variables: {},
  headerText: "",
  headerFile: null,
  buttons: {},
};

export const newForm = (way: CampaignWay | undefined, timeZone: string): Form => ({
  name: "",
  segmentId: "",
  way: way ? keyOf(way) : "",
  kind: way?.kind ?? "WHATSAPP_TEMPLATE",
  texts: [NEW_TEXT],
  holdout: 0,
  replyDays: 3,
  when: "now",
  at: "",
  timeZone,
  localTime: false,
  quiet: false,
  quietFrom: "21:00",
  quietUntil: "08:00",
  rate: "",
});

export const keyOf = (way: Pick<CampaignWay, "channelId">): string => way.channelId ?? SMS;

/** Minutes of the day as a clock shows them: "21:00". */
export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
const minutesOf = (clock: string): number => {
  const [hour = 0, minute = 0] = clock.split(":").map(Number);
  return hour * 60 + minute;
};

/** The stored draft as a form. `templates`: those of its channel, which name its variables. */
export function formOf(campaign: Campaign, templates: readonly CampaignTemplate[]): Form {
  const parts = campaign.variants.length > 0 ? campaign.variants : [campaign];
  const split = campaign.variants.length > 0;
  const texts = parts.map((part): FormText => {
    const places = templates.find(({ id }) => id === part.templateId)?.needs.body ?? [];
    return {
      name: split ? part.name : "",
      share: "share" in part ? round(part.share * 100) : 100,
      body: part.body ?? "",
      templateId: part.templateId ?? "",
      variables: Object.fromEntries(places.map((name, n) => [name, part.variables[n] ?? ""])),
      headerText: part.headerText ?? "",
      headerFile: part.headerFile && {
        id: part.headerFile.id,
        name: part.headerFile.fileName ?? part.headerFile.kind,
      },
      buttons: Object.fromEntries(part.buttonTexts.map(({ index, text }) => [index, text])),
    };
  });
  const { quietFrom, quietUntil } = campaign;
  return {
    name: campaign.name,
    segmentId: campaign.segmentId ?? "",
    way: keyOf(campaign),
    kind: campaign.kind,
    texts,
    holdout: split ? round(100 - texts.reduce((sum, { share }) => sum + share, 0)) : 0,
    replyDays: campaign.replyDays,
    when: "now",
    at: "",
    timeZone: campaign.timeZone,
    localTime: campaign.localTime,
    quiet: quietFrom !== null,
    quietFrom: clockOf(quietFrom ?? 1_260),
    quietUntil: clockOf(quietUntil ?? 480),
    rate: String(campaign.rateLimitPerMinute),
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** The form as the server takes it. `only`: this text alone, to preview it before the others are written. */
export function draftOf(form: Form, only?: number): CampaignDraft {
  const { texts, holdout, quietFrom, quietUntil } = form;
  const [first = NEW_TEXT] = texts;
  const split = texts.length > 1 && only === undefined;
  return {
    name: form.name.trim() === "" ? "-" : form.name.trim(),
    kind: form.kind,
    ...(form.way !== SMS && form.way !== "" && { channelId: form.way }),
    ...(form.segmentId !== "" && { segmentId: form.segmentId }),
    ...(split ? {} : partsOf(form, texts[only ?? 0] ?? first)),
    ...(split && {
      variants: texts.map((text) => ({
        name: text.name,
        share: text.share / 100,
        ...partsOf(form, text),
      })),
      holdoutShare: holdout / 100,
    }),
    timeZone: form.timeZone,
    localTime: form.localTime,
    ...(form.quiet && {
      quietHours: { from: minutesOf(quietFrom), until: minutesOf(quietUntil) },
    }),
    ...(form.rate.trim() !== "" && { rateLimitPerMinute: Number(form.rate) }),
    replyDays: form.replyDays,
  };
}

function partsOf({ kind }: Form, text: FormText): Partial<CampaignDraft> {
  if (kind !== "WHATSAPP_TEMPLATE") return { body: text.body };
  const given = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).filter(([, value]) => value.trim() !== ""));
  return {
    templateId: text.templateId,
    variables: given(text.variables),
    ...(text.headerFile !== null
      ? { header: { mediaId: text.headerFile.id } }
      : text.headerText.trim() !== "" && { header: { text: text.headerText } }),
    buttons: given(text.buttons),
  };
}

export type Step = "audience" | "message" | "schedule" | "check";
export const STEPS: readonly Step[] = ["audience", "message", "schedule", "check"];

/** What is missing before the campaign can be stored or sent. */
export interface Gap {
  readonly step: Step;
  readonly what:
    | "name"
    | "way"
    | "template"
    | "body"
    | "places"
    | "file"
    | "shares"
    | "variantName"
    | "rate"
    | "quiet"
    | "time";
  /** A/B: the index of the text. */
  readonly text?: number;
}

/** Everything that is missing, in the order of the steps. */
export function gapsOf(form: Form, templates: readonly CampaignTemplate[]): Gap[] {
  const gaps: Gap[] = [];
  if (form.name.trim() === "") gaps.push({ step: "audience", what: "name" });
  if (form.way === "") gaps.push({ step: "message", what: "way" });
  for (const index of form.texts.keys()) gaps.push(...textGaps(form, templates, index));
  const shares = form.texts.reduce((sum, { share }) => sum + share, form.holdout);
  if (form.texts.length > 1 && (Math.abs(shares - 100) > 0.01 || form.holdout < 0))
    gaps.push({ step: "message", what: "shares" });
  const rate = Number(form.rate);
  if (form.rate.trim() !== "" && !(Number.isInteger(rate) && rate >= 10 && rate <= 1_000_000))
    gaps.push({ step: "schedule", what: "rate" });
  if (form.quiet && form.quietFrom === form.quietUntil)
    gaps.push({ step: "schedule", what: "quiet" });
  if (form.when === "at" && form.at === "") gaps.push({ step: "schedule", what: "time" });
  return gaps;
}

/** What is missing in one text. */
export function textGaps(
  form: Form,
  templates: readonly CampaignTemplate[],
  index: number,
): readonly Gap[] {
  const text = form.texts[index] ?? NEW_TEXT;
  const at = form.texts.length > 1 ? { text: index } : {};
  const gap = (what: Gap["what"]): Gap => ({ step: "message", what, ...at });
  const named = form.texts.length === 1 || text.name.trim() !== "" ? [] : [gap("variantName")];
  if (form.kind !== "WHATSAPP_TEMPLATE")
    return text.body.trim() === "" ? [...named, gap("body")] : named;
  const template = templates.find(({ id }) => id === text.templateId);
  if (!template) return [...named, gap("template")];
  const { body, headerText, headerMedia, buttons } = template.needs;
  const filled =
    body.every((name) => (text.variables[name] ?? "").trim() !== "") &&
    (headerText === null || text.headerText.trim() !== "") &&
    buttons.every(({ index: n, required }) => !required || (text.buttons[n] ?? "").trim() !== "");
  if (!filled) named.push(gap("places"));
  if (headerMedia !== null && text.headerFile === null) named.push(gap("file"));
  return named;
}

/** This many texts, with equal shares of what the hold-out leaves. */
export function shared(texts: readonly FormText[], holdout: number): readonly FormText[] {
  const part = Math.floor(((100 - holdout) / texts.length) * 100) / 100;
  const rest = round(100 - holdout - part * (texts.length - 1));
  return texts.map((text, index) => ({
    ...text,
    share: texts.length === 1 ? 100 : index === 0 ? rest : part,
    name: texts.length === 1 ? "" : text.name || String.fromCodePoint(65 + index),
  }));
}
