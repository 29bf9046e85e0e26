import { useState } from "react";
import { flushSync } from "react-dom";
import { Button, Form } from "react-aria-components";
import {
  DRAFT_LIMITS,
  draftFaults,
  placesIn,
  type DraftHeader,
  type TemplateDraft,
} from "../../../server/src/channels/template-draft.ts";
import { ApiError } from "../api/api-error.ts";
import { Failure } from "../kit/failure.tsx";
import { Choice } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { failureText, useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { ButtonFields } from "./button-fields.tsx";
import { Field } from "./field.tsx";
import { HeaderFields } from "./header-fields.tsx";
import { LANGUAGES } from "./languages.ts";
import { partsOfDraft } from "./parts.ts";
import { PhonePreview } from "./preview.tsx";
import { languageWord } from "../kit/language-word.ts";
import { faultText } from "./words.tsx";

export interface Handed {
  readonly channelId: string;
  readonly draft: TemplateDraft;
}

/** Changes part of the draft; null removes the header or the footer. */
export type Change = (part: DraftPart) => void;
type DraftPart = Partial<Omit<TemplateDraft, "header" | "footer">> & {
  readonly header?: DraftHeader | null;
  readonly footer?: string | null;
};

function changed(draft: TemplateDraft, { header, footer, ...part }: DraftPart): TemplateDraft {
  const { header: oldHeader, footer: oldFooter, ...rest } = draft;
  const nextHeader = header === undefined ? oldHeader : header;
  const nextFooter = footer === undefined ? oldFooter : footer;
  return {
    ...rest,
    ...part,
    ...(nextHeader && { header: nextHeader }),
    ...(nextFooter && { footer: nextFooter }),
  };
}
/** The fault of a field; undefined: there is none, or the field was not visited yet. */
export type FaultOf = (path: string) => string | undefined;

/** Writes a template beside a preview of the phone. Faults are shown at their field before anything is submitted. */
export function TemplateBuilder({
  first,
  channels,
  fixed = false,
  submit,
}: {
  readonly first: TemplateDraft;
  readonly channels: readonly { readonly id: string; readonly name: string }[];
  /** Name, language and category stay as they are. */
  readonly fixed?: boolean;
  readonly submit: (handed: Handed) => Promise<void>;
}) {
  const [draft, setDraft] = useState(first);
  const [channelId, setChannelId] = useState(channels[0]?.id ?? "");
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(false);
  /** The platform's refusal, until the field is changed. */
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const faults = draftFaults(draft);
  const hand = useCall(async () => {
    setRefused(new Map());
    try {
      await submit({ channelId, draft });
    } catch (error) {
      if (error instanceof ApiError)
        setRefused(new Map(error.details.map(({ path, message }) => [path, message])));
      throw error;
    }
  });
  // A file arrives when its upload ends: what was written meanwhile stays.
  const change: Change = (part) => {
    setDraft((now) => changed(now, part));
    const keys = Object.keys(part);
    setTouched((now) => new Set([...now, ...keys]));
    setRefused((now) => new Map([...now].filter(([path]) => !keys.includes(topOf(path)))));
  };
  const faultOf: FaultOf = (path) => {
    const fault = faults.find((one) => one.path === path);
    if (fault && (tried || (touched.has(topOf(path)) && fault.rule !== "empty")))
      return faultText(fault);
    return refused.get(path);
  };
  const fields: FieldsProps = { draft, fixed, change, faultOf };
  return (
    <Form
      className="template-builder"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        flushSync(() => setTried(true));
        if (faults.length === 0) hand.start();
        else form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
      }}
    >
      <div className="template-fields">
        <AboutFields {...fields} channels={channels} channelId={channelId} choose={setChannelId} />
        <Part title={t("templates.part.header")}>
          <HeaderFields draft={draft} change={change} faultOf={faultOf} />
        </Part>
        <BodyFields {...fields} />
        <Part title={t("templates.part.footer")}>
          <Field
            label={t("templates.footer")}
            hint={t("templates.footer.hint", { most: DRAFT_LIMITS.footer })}
            fault={faultOf("footer")}
            value={draft.footer ?? ""}
            change={(footer) => change({ footer: footer === "" ? null : footer })}
          />
        </Part>
        <Part title={t("templates.part.buttons")}>
          <ButtonFields draft={draft} change={change} faultOf={faultOf} />
        </Part>
        <Failure of={hand.failed} {...(hand.failed && { text: handedText(hand.failed) })} />
        {tried && faults.length > 0 && (
          <p role="alert" className="failure">
            {t("templates.faults", { count: faults.length })}
          </p>
        )}
        <div className="page-actions">
          <Button type="submit" className="primary" isPending={hand.busy}>
            {t("templates.submit")}
          </Button>
          <span className="hint">{t("templates.submit.hint")}</span>
        </div>
      </div>
      <aside className="template-side" aria-label={t("templates.preview")}>
        <h2>{t("templates.preview")}</h2>
        <PhonePreview
          parts={partsOfDraft(draft)}
          direction={/^(ar|he|fa|ur)/.test(draft.language) ? "rtl" : "ltr"}
        />
      </aside>
    </Form>
  );
}

interface FieldsProps {
  readonly draft: TemplateDraft;
  /** Name, language, category and the kind of variables stay as they are. */
  readonly fixed: boolean;
  readonly change: Change;
  readonly faultOf: FaultOf;
}

/** The channel, the name, the language and the category. */
function AboutFields({
  draft,
  fixed,
  change,
  faultOf,
  channels,
  channelId,
  choose,
}: FieldsProps & {
  readonly channels: readonly { readonly id: string; readonly name: string }[];
  readonly channelId: string;
  readonly choose: (channelId: string) => void;
}) {
  return (
    <Part title={t("templates.part.about")}>
      {channels.length > 1 && (
        <Choice<string>
          label={t("templates.channel")}
          value={channelId}
          change={choose}
          options={channels.map(({ id, name }) => ({ value: id, name }))}
        />
      )}
      <Field
        label={t("templates.name")}
        hint={t("templates.name.hint")}
        code
        disabled={fixed}
        fault={faultOf("name")}
        value={draft.name}
        change={(name) => change({ name: name.toLowerCase().replaceAll(/[\s-]+/g, "_") })}
      />
      <div className="template-pair">
        <Choice<string>
          label={t("templates.language")}
          disabled={fixed}
          value={draft.language}
          change={(language) => change({ language })}
          options={[...new Set([...LANGUAGES, draft.language])].map((value) => ({
            value,
            name: languageWord(value),
          }))}
        />
        <Choice
          label={t("templates.category")}
          disabled={fixed}
          value={draft.category}
          change={(category) => change({ category })}
          options={[
            { value: "UTILITY", name: t("templates.category.utility") },
            { value: "MARKETING", name: t("templates.category.marketing") },
          ]}
        />
      </div>
      {!fixed && <p className="hint">{t(`templates.category.hint.${draft.category}`)}</p>}
    </Part>
  );
}

/** The text with its variables, and an example of each. */
function BodyFields({ draft, fixed, change, faultOf }: FieldsProps) {
  const { named = false } = draft;
  const places = placesIn(draft.body, draft);
  return (
    <Part title={t("templates.part.body")}>
      <Choice
        label={t("templates.places")}
        disabled={fixed}
        value={named ? "names" : "numbers"}
        change={(kind) => change({ named: kind === "names" })}
        options={[
          { value: "numbers", name: t("templates.places.numbers", { place: "{{1}}" }) },
          { value: "names", name: t("templates.places.names", { place: "{{first_name}}" }) },
        ]}
      />
      <Field
        label={t("templates.body")}
        rows={6}
        hint={t("templates.body.hint", {
          count: Array.from(draft.body).length,
          most: DRAFT_LIMITS.body,
        })}
        fault={faultOf("body")}
        value={draft.body}
        change={(body) => change({ body })}
      />
      <div>
        <Button
          className="quiet"
          onPress={() => change({ body: `${draft.body}{{${nextPlace(places, named)}}}` })}
        >
          {t("templates.addVariable")}
        </Button>
      </div>
      {places.map((place, index) => (
        <Field
          key={place}
          label={t("templates.example", { place: `{{${place}}}` })}
          fault={faultOf(`bodyExamples[${index}]`)}
          value={draft.bodyExamples[index] ?? ""}
          change={(text) =>
            change({
              bodyExamples: places.map((_, at) =>
                at === index ? text : (draft.bodyExamples[at] ?? ""),
              ),
            })
          }
        />
      ))}
      {places.length > 0 && <p className="hint">{t("templates.example.hint")}</p>}
    </Part>
  );
}

/** Names that templates often use; the writer changes the word in the text. */
const NAMES = ["first_name", "order_number", "date", "amount", "place"] as const;

/** The name or number of a variable that is added to the text. */
function nextPlace(places: readonly string[], named: boolean): string {
  if (named) return NAMES.find((name) => !places.includes(name)) ?? "more";
  return String(Number(places.at(-1) ?? 0) + 1);
}

/** `bodyExamples` of `bodyExamples[0]`; the example of a header belongs to the header. */
function topOf(path: string): string {
  const [top = ""] = path.split(/[[.]/);
  return top === "headerExample" ? "header" : top;
}

function handedText(error: ApiError): string {
  switch (error.code) {
    case "VALIDATION_FAILED":
      return t("templates.refusedNow");
    case "OVERLOADED":
    case "NO_CONNECTION":
      return t("templates.unsure");
    case "NOT_ALLOWED_IN_STATE":
      return t("templates.noChannel");
    default:
      return failureText(error);
  }
}
