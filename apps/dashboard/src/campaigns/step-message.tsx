import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import { Choice, TextInput } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { t } from "../text/t.ts";
import type { CampaignWay } from "./contract.ts";
import { keyOf, NEW_TEXT, SMS, shared, type Form, type FormText } from "./form.ts";
import { PhonePreview } from "./phone-preview.tsx";
import { choicesQuery, templatesQuery } from "./queries.ts";
import { TemplateFields } from "./template-fields.tsx";
import { TextField } from "./text-field.tsx";
import { platformWord, wayWord } from "./words.ts";
import type { Changes, StepProps } from "./wizard.tsx";

const MOST_TEXTS = 4;

/** The message: the channel, the text or texts, and how a phone shows them. */
export function MessageStep({ form, change, stored }: StepProps) {
  const { ways } = useSuspenseQuery(choicesQuery).data;
  const [shown, setShown] = useState(0);
  const index = Math.min(shown, form.texts.length - 1);
  const text = form.texts[index] ?? NEW_TEXT;
  const write = (changes: Changes<FormText>): void => {
    const written = (one: FormText) => ({
      ...one,
      ...(typeof changes === "function" ? changes(one) : changes),
    });
    change(({ texts }) => ({ texts: texts.map((one, n) => (n === index ? written(one) : one)) }));
  };
  const way = ways.find((one) => keyOf(one) === form.way);
  return (
    <div className="campaign-sides">
      <Part title={t("campaigns.step.message")}>
        <WayFields form={form} change={change} ways={ways} />
        {way && !way.ready && (
          <p role="alert" className="campaign-warning">
            {t(way.kind === "SMS" ? "campaigns.cause.gateway" : "campaigns.cause.channel")}{" "}
            <Link href={way.kind === "SMS" ? "/settings/sms" : "/settings/channels"}>
              {t("campaigns.noWays.link")}
            </Link>
          </p>
        )}
        <Variants form={form} change={change} index={index} show={setShown} />
        <OneText
          form={form}
          text={text}
          hasWindow={way !== undefined && way.channelType === "WHATSAPP"}
          write={write}
        />
      </Part>
      <PhonePreview form={form} index={index} stored={stored} />
    </div>
  );
}

function WayFields({
  form,
  change,
  ways,
}: Pick<StepProps, "form" | "change"> & { readonly ways: readonly CampaignWay[] }) {
  const choose = (key: string): void => {
    const way = ways.find((one) => keyOf(one) === key);
    if (!way) return;
    const texts = form.texts.map((one) => ({
      ...NEW_TEXT,
      name: one.name,
      share: one.share,
      body: one.body,
    }));
    change({ way: key, kind: way.kind, texts });
  };
  const way = ways.find((one) => keyOf(one) === form.way);
  return (
    <div className="campaign-pair">
      <Choice
        label={t("campaigns.form.way")}
        options={[
          ...(way ? [] : [{ value: "", name: t("campaigns.form.way.none") }]),
          ...ways.map((one) => ({
            value: keyOf(one),
            name:
              one.kind === "SMS"
                ? wayWord(one)
                : `${wayWord(one)} · ${platformWord(one.channelType)}`,
          })),
        ]}
        value={form.way}
        change={choose}
      />
      {form.way !== SMS && way?.channelType !== "TELEGRAM" && (
        <Choice
          label={t("campaigns.form.kind")}
          options={[
            { value: "WHATSAPP_TEMPLATE", name: t("campaigns.kind.template") },
            { value: "TEXT", name: t("campaigns.kind.window") },
          ]}
          value={form.kind}
          change={(kind) => change({ kind })}
        />
      )}
    </div>
  );
}

/** One text for all, or several to compare, each for its share of the audience. */
function Variants({
  form,
  change,
  index,
  show,
}: Pick<StepProps, "form" | "change"> & {
  readonly index: number;
  readonly show: (index: number) => void;
}) {
  const { texts, holdout } = form;
  if (texts.length === 1)
    return (
      <div>
        <Button
          className="quiet"
          onPress={() => {
            const [one = NEW_TEXT] = texts;
            change({ texts: shared([one, { ...one }], holdout) });
            show(1);
          }}
        >
          {t("campaigns.split.begin")}
        </Button>
      </div>
    );
  return (
    <fieldset className="campaign-split">
      <legend>{t("campaigns.split")}</legend>
      <div className="campaign-variants">
        {texts.map((text, n) => (
          <Button
            key={n}
            className="campaign-variant"
            aria-pressed={n === index}
            onPress={() => show(n)}
          >
            <bdi>{text.name || t("campaigns.split.noName", { number: n + 1 })}</bdi>{" "}
            <bdi dir="ltr">{text.share} %</bdi>
          </Button>
        ))}
        {texts.length < MOST_TEXTS && (
          <Button
            className="quiet"
            onPress={() => {
              change({ texts: shared([...texts, { ...NEW_TEXT, body: "" }], holdout) });
              show(texts.length);
            }}
          >
            {t("campaigns.split.more")}
          </Button>
        )}
      </div>
      <ShareFields form={form} change={change} index={index} />
      <div>
        <Button
          className="quiet"
          onPress={() => {
            const rest = texts.filter((_, n) => n !== index);
            const left = rest.length === 1 ? 0 : holdout;
            change({ texts: shared(rest, left), holdout: left });
            show(0);
          }}
        >
          {t("campaigns.split.remove")}
        </Button>
      </div>
    </fieldset>
  );
}

/** The name and the share of one text, and the share that gets none. */
function ShareFields({
  form: { texts, holdout },
  change,
  index,
}: Pick<StepProps, "form" | "change"> & { readonly index: number }) {
  return (
    <div className="campaign-pair">
      <TextInput
        label={t("campaigns.split.name")}
        value={texts[index]?.name ?? ""}
        maxLength={50}
        onChange={(name) =>
          change({ texts: texts.map((one, n) => (n === index ? { ...one, name } : one)) })
        }
      />
      <TextInput
        label={t("campaigns.split.share")}
        code
        inputMode="decimal"
        value={String(texts[index]?.share ?? 0)}
        onChange={(value) =>
          change({
            texts: texts.map((one, n) => (n === index ? { ...one, share: numberOf(value) } : one)),
          })
        }
      />
      <TextInput
        label={t("campaigns.split.holdout")}
        hint={t("campaigns.split.holdout.hint")}
        code
        inputMode="decimal"
        value={String(holdout)}
        onChange={(value) => {
          const part = Math.min(90, numberOf(value));
          change({ holdout: part, texts: shared(texts, part) });
        }}
      />
    </div>
  );
}

const numberOf = (text: string): number => {
  const number = Number(text.replace(",", "."));
  return Number.isFinite(number) && number >= 0 ? number : 0;
};

function OneText({
  form,
  text,
  hasWindow,
  write,
}: {
  readonly form: Form;
  readonly text: FormText;
  /** A plain text reaches only people who wrote lately. */
  readonly hasWindow: boolean;
  readonly write: (changes: Changes<FormText>) => void;
}) {
  const channelId = form.way === SMS || form.way === "" ? null : form.way;
  const templates = useQuery(templatesQuery(channelId));
  if (form.kind === "WHATSAPP_TEMPLATE")
    return <TemplateFields templates={templates.data} text={text} write={write} />;
  return (
    <TextField
      label={t("campaigns.form.body")}
      rows={6}
      value={text.body}
      change={(body) => write({ body })}
      {...(form.kind === "TEXT" && hasWindow && { hint: t("campaigns.form.body.hint") })}
      sms={form.kind === "SMS"}
    />
  );
}
