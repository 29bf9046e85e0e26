import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf, type InputOf } from "../api/call.ts";
import { bootstrapQuery, failsPage, queryClient } from "../api/query-client.ts";
import { keepAnswer } from "../api/keep-answer.ts";
import { endInbox } from "../desk/inbox.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice, TextInput, Toggle } from "../kit/fields.tsx";
import { useCall, type AskedCall } from "../kit/use-call.ts";
import { AskForm, Field } from "../kit/ask-form.tsx";
import { formatLocale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import { SettingsPage, SettingsPart } from "./settings-page.tsx";
import "./security.css";

type Settings = AnswerOf<"readWorkspace">;
type Changes = NonNullable<InputOf<"saveWorkspace">["body"]>;

const QUERY = ["workspace"];

/** `/settings/workspace`: what owners decide for everybody. Each choice is saved at once. */
export function WorkspacePage() {
  const { data } = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) => call("readWorkspace", { signal }),
    // For members who may not open it.
    throwOnError: failsPage,
  });
  const [saved, setSaved] = useState(false);
  const save = useCall(async (changes: Changes) => {
    setSaved(false);
    keepAnswer(queryClient, QUERY, await call("saveWorkspace", { body: changes }));
    await queryClient.invalidateQueries(bootstrapQuery);
    setSaved(true);
  });
  return (
    <SettingsPage title={t("shell.settings.workspace")}>
      <Failure of={save.failed} />
      <p role="status" className={saved ? "saved" : "visually-hidden"}>
        {saved ? t("people.saved") : ""}
      </p>
      {data && (
        <>
          <General settings={data} save={save} />
          <RequireTwoFactor settings={data} save={save} />
          <Removal name={data.name} />
        </>
      )}
    </SettingsPage>
  );
}

interface PartProps {
  readonly settings: Settings;
  readonly save: AskedCall<readonly [Changes]>;
}

function General({ settings, save }: PartProps) {
  const { name, timeZone, country, locale } = settings;
  const isTest = useBootstrap().workspace.kind === "test";
  const rename = useCall(async (texts: ReadonlyMap<string, string>) => {
    save.start({ name: texts.get("name") ?? "" });
  });
  return (
    <SettingsPart title={t("workspace.general")}>
      {isTest && <p className="hint">{t("workspace.test")}</p>}
      <AskForm call={rename} verb={t("workspace.saveName")}>
        <Field name="name" label={t("people.workspaceName")} defaultValue={name} maxLength={200} />
      </AskForm>
      <div className="settings-fields">
        <Choice
          label={t("workspace.zone")}
          options={zones(timeZone).map((zone) => ({
            value: zone,
            name: zone.replaceAll("_", " "),
          }))}
          value={timeZone}
          change={(zone) => save.start({ timeZone: zone })}
          hint={t("workspace.zone.text")}
        />
        <Choice
          label={t("workspace.country")}
          options={[{ value: "", name: t("workspace.country.none") }, ...countries()]}
          value={country ?? ""}
          change={(chosen) => save.start({ country: chosen === "" ? null : chosen })}
          hint={t("workspace.country.text")}
        />
        <Choice
          label={t("people.language")}
          options={[
            { value: "", name: t("people.language.browser") },
            { value: "en", name: "English" },
            { value: "ar", name: "العربية" },
          ]}
          value={locale ?? ""}
          change={(chosen) => save.start({ locale: chosen === "" ? null : chosen })}
          hint={t("workspace.language.text")}
        />
      </div>
    </SettingsPart>
  );
}

function RequireTwoFactor({ settings, save }: PartProps) {
  const { twoFactorRequired, withoutTwoFactor } = settings;
  const [asking, setAsking] = useState(false);
  const require = useCall(async () => {
    save.start({ twoFactorRequired: true });
    setAsking(false);
  });
  return (
    <SettingsPart title={t("security.twoFactor")}>
      <p>{t("workspace.require.text")}</p>
      <Toggle
        label={t("workspace.require")}
        on={twoFactorRequired}
        change={(on) => (on ? setAsking(true) : save.start({ twoFactorRequired: false }))}
      />
      <p className="hint">{t("workspace.require.without", { count: withoutTwoFactor })}</p>
      {asking && (
        <ConfirmDialog
          title={t("workspace.require.title")}
          verb={t("workspace.require.go")}
          call={require}
          close={() => setAsking(false)}
        >
          <p>{t("workspace.require.ask", { count: withoutTwoFactor })}</p>
        </ConfirmDialog>
      )}
    </SettingsPart>
  );
}

function Removal({ name }: { readonly name: string }) {
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState("");
  const remove = useCall(async () => {
    await call("deleteWorkspace", { body: { name: typed } });
    await endInbox();
    location.assign("/sign-in");
  });
  const close = () => {
    setAsking(false);
    setTyped("");
  };
  return (
    <SettingsPart title={t("workspace.delete")}>
      <p>{t("workspace.delete.text")}</p>
      <div>
        <Button className="danger" onPress={() => setAsking(true)}>
          {t("workspace.delete")}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={t("workspace.delete.title", { name })}
          verb={t("workspace.delete")}
          call={remove}
          ready={typed.trim() === name}
          close={close}
        >
          <p>{t("workspace.delete.ask")}</p>
          <TextInput
            label={t("workspace.delete.type", { name })}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
          />
        </ConfirmDialog>
      )}
    </SettingsPart>
  );
}

/** All zones that the browser knows, and the one that is set. */
const zones = (current: string): string[] =>
  [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), current])].sort();

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** Every country that the browser has a name for, by its name in the page's language. */
function countries(): { readonly value: string; readonly name: string }[] {
  const names = new Intl.DisplayNames(formatLocale, { type: "region", fallback: "none" });
  // Among the two-letter codes these are groups of states, or no states.
  const others = new Set(["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ", "XK"]);
  return LETTERS.flatMap((a) => LETTERS.map((b) => a + b))
    .flatMap((code) => {
      const name = others.has(code) ? undefined : names.of(code);
      return name === undefined ? [] : [{ value: code, name }];
    })
    .sort((a, b) => a.name.localeCompare(b.name, formatLocale));
}
