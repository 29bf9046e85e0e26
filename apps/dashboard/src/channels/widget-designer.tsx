import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { Button, Form } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { Badge } from "../kit/badge.tsx";
import { CopyField } from "../kit/copy.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice, TextInput } from "../kit/fields.tsx";
import { sizeOf } from "../kit/format.ts";
import { Page, Part } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { useCall } from "../kit/use-call.ts";
import { NotFound } from "../shell/page-failed.tsx";
import { t } from "../text/t.ts";
import { channelQuery } from "./channels-query.ts";
import { ColorChoice } from "./color-choice.tsx";
import { channelFaults } from "./faults.ts";
import { base64Of, LogoChoice } from "./logo-choice.tsx";
import type { Look } from "./show-widget.ts";
import { useFaults } from "./use-faults.ts";
import { WidgetPreview } from "./widget-preview.tsx";
import { WidgetSecrets } from "./widget-secrets.tsx";
import "./channels.css";

type Web = NonNullable<AnswerOf<"readChannel">["web"]>;

const SIZES = [2, 5, 10, 25].map((megabytes) => megabytes * 1024 * 1024);
const POSITIONS = ["left", "right"] as const;
const ASKS = ["name", "email", "name email"] as const;
const LOCALES = ["auto", "en", "ar"] as const;

function lookOf(web: Web): Look {
  return {
    title: web.title ?? "",
    logo: web.logo ?? "",
    ask: ASKS.find((one) => one === web.ask) ?? "",
    askWhen: web.askWhen === "before" ? "before" : "",
    color: web.color ?? "",
    greeting: web.greeting ?? "",
    position: POSITIONS.find((one) => one === web.position) ?? "",
    locale: LOCALES.find((one) => one === web.locale) ?? "",
    maxFileBytes: web.maxFileBytes ?? "",
  };
}

/** `/settings/channels/:id/widget`: the chat window of a site, designed beside the real one. */
export function WidgetDesigner() {
  const { id } = useParams({ from: "/members/settings/channels/$id/widget" });
  const { data } = useQuery(channelQuery(id));
  if (!data) return <PageLate />;
  const { channel, web } = data;
  if (!web) return <NotFound />;
  return (
    <Page
      title={t("channels.web.title", { name: channel.name })}
      lead={t("channels.web.lead")}
      back={{ href: `/settings/channels/${id}`, name: channel.name }}
    >
      <Design id={id} web={web} />
      <Part title={t("channels.web.embed")}>
        <p>{t("channels.web.snippet.text")}</p>
        <CopyField label={t("channels.web.snippet")} value={web.scriptTag} rows={2} />
        <p>
          <a href={web.tryPage} target="_blank" rel="noopener noreferrer">
            {t("channels.web.try")}
          </a>
        </p>
        <Origins id={id} origins={web.origins} />
      </Part>
      <WidgetSecrets id={id} />
    </Page>
  );
}

function Design({ id, web }: { readonly id: string; readonly web: Web }) {
  const client = useQueryClient();
  const stored = lookOf(web);
  const [look, setLook] = useState(stored);
  const [saved, setSaved] = useState(false);
  const change = (part: Partial<Look>) => {
    setSaved(false);
    setLook((now) => ({ ...now, ...part }));
  };
  const dirty = JSON.stringify(look) !== JSON.stringify(stored);
  const save = useCall(async () => {
    const { logo, ...texts } = look;
    const body = logo === stored.logo ? texts : { ...texts, logo: base64Of(logo) };
    const changed = await call("changeWebChannel", { params: { id }, body });
    change({ logo: changed.web.logo ?? "" });
    await client.invalidateQueries({ queryKey: ["channels"] });
    setSaved(true);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.start();
  };
  return (
    <div className="widget-design">
      <Part
        title={t("channels.web.look")}
        actions={dirty && <Badge tone="info">{t("channels.web.unsaved")}</Badge>}
      >
        <Failure of={save.failed} />
        {saved && !save.failed && <p role="status">{t("channels.web.saved")}</p>}
        <Form className="channel-form" validationBehavior="aria" onSubmit={submit}>
          <LookFields look={look} change={change} />
          <div>
            <Button type="submit" className="primary" isDisabled={!dirty} isPending={save.busy}>
              {t("channels.web.save")}
            </Button>
          </div>
        </Form>
      </Part>
      <WidgetPreview look={look} />
    </div>
  );
}

/** What a site's owner chooses of the window. */
function LookFields({
  look,
  change,
}: {
  readonly look: Look;
  readonly change: (part: Partial<Look>) => void;
}) {
  return (
    <>
      <TextInput
        name="title"
        label={t("channels.web.heading")}
        hint={t("channels.web.heading.hint")}
        maxLength={60}
        value={look.title}
        onChange={(title) => change({ title })}
      />
      <LogoChoice value={look.logo} change={(logo) => change({ logo })} />
      <ColorChoice value={look.color} change={(color) => change({ color })} />
      <TextInput
        name="greeting"
        rows={3}
        label={t("channels.web.greeting")}
        hint={t("channels.web.greeting.hint")}
        maxLength={500}
        value={look.greeting}
        onChange={(greeting) => change({ greeting })}
      />
      <Choice
        label={t("channels.web.ask")}
        hint={t("channels.web.ask.hint")}
        value={look.ask}
        change={(ask) => change({ ask })}
        options={[
          { value: "", name: t("channels.web.ask.nothing") },
          { value: "name", name: t("channels.web.ask.name") },
          { value: "email", name: t("channels.web.ask.email") },
          { value: "name email", name: t("channels.web.ask.both") },
        ]}
      />
      {look.ask !== "" && (
        <Choice
          label={t("channels.web.askWhen")}
          value={look.askWhen === "after" ? "" : look.askWhen}
          change={(askWhen) => change({ askWhen })}
          options={[
            { value: "", name: t("channels.web.askWhen.after") },
            { value: "before", name: t("channels.web.askWhen.before") },
          ]}
        />
      )}
      <Choice
        label={t("channels.web.position")}
        value={look.position}
        change={(position) => change({ position })}
        options={[
          { value: "", name: t("channels.web.position.auto") },
          { value: "left", name: t("channels.web.position.left") },
          { value: "right", name: t("channels.web.position.right") },
        ]}
      />
      <Choice
        label={t("channels.web.locale")}
        value={look.locale === "auto" ? "" : look.locale}
        change={(locale) => change({ locale })}
        options={[
          { value: "", name: t("channels.web.locale.auto") },
          { value: "en", name: t("channels.web.locale.en") },
          { value: "ar", name: t("channels.web.locale.ar") },
        ]}
      />
      <Choice
        label={t("channels.web.files")}
        value={look.maxFileBytes}
        change={(maxFileBytes) => change({ maxFileBytes })}
        options={sizesWith(look.maxFileBytes)}
      />
    </>
  );
}

/** The usual sizes, and a size set by the command line. */
function sizesWith(current: string) {
  const own = current !== "" && !SIZES.includes(Number(current)) ? [Number(current)] : [];
  return [
    { value: "", name: t("channels.web.files.default") },
    ...[...SIZES, ...own].map((bytes) => ({ value: String(bytes), name: sizeOf(bytes) })),
  ];
}

/** The pages that may show the window. */
function Origins({ id, origins }: { readonly id: string; readonly origins: readonly string[] }) {
  const client = useQueryClient();
  const [text, setText] = useState(origins.join("\n"));
  const [saved, setSaved] = useState(false);
  const save = useCall(async () => {
    setSaved(false);
    const given = text.split(/\s+/).filter((one) => one !== "");
    await call("changeWebChannel", { params: { id }, body: { origins: given } });
    setText(given.join("\n"));
    setSaved(true);
    await client.invalidateQueries({ queryKey: ["channels"] });
  });
  const { faults, mended } = useFaults(save.failed, channelFaults);
  return (
    <Form
      className="channel-form"
      validationBehavior="aria"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save.start();
      }}
    >
      {save.failed?.code !== "VALIDATION_FAILED" && <Failure of={save.failed} />}
      {saved && !save.failed && <p role="status">{t("kit.saved")}</p>}
      <TextInput
        name="allowedOrigins"
        rows={3}
        code
        label={t("channels.web.origins")}
        hint={t("channels.field.allowedOrigins.hint")}
        value={text}
        onChange={(origins) => {
          mended("allowedOrigins");
          setText(origins);
        }}
        fault={faults["allowedOrigins"]}
      />
      <div>
        <Button type="submit" isPending={save.busy}>
          {t("channels.web.origins.save")}
        </Button>
      </div>
    </Form>
  );
}
