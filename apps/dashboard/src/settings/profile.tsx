import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, type AnswerOf } from "../api/call.ts";
import { bootstrapQuery } from "../api/query-client.ts";
import { saveSettings, type SettingsChanges } from "../api/save-settings.ts";
import { Failure } from "../kit/failure.tsx";
import { Choice, Toggle } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { AskForm, Field } from "../kit/ask-form.tsx";
import { changeLocale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import { changeTheme } from "../kit/theme.ts";
import { PageLate } from "../kit/page-late.tsx";
import { SettingsPage, SettingsPart } from "./settings-page.tsx";
import "./security.css";

type Settings = AnswerOf<"saveSettings">;

/** `/settings/profile`: the member's name and settings of the interface. Each choice is saved at once. */
export function Profile() {
  const { data } = useQuery(bootstrapQuery);
  const client = useQueryClient();
  const [saved, setSaved] = useState(false);
  const save = useCall(async (changes: SettingsChanges) => {
    await saveSettings(changes);
    setSaved(true);
    if (changes.theme !== undefined) changeTheme(changes.theme);
    if (changes.locale) changeLocale(changes.locale);
  });
  const rename = useCall(async (texts: ReadonlyMap<string, string>) => {
    await call("saveProfile", { body: { name: texts.get("name") ?? "" } });
    await client.invalidateQueries(bootstrapQuery);
    setSaved(true);
  });
  const move = useCall(async (availability: "online" | "away") => {
    await call("setAvailability", { body: { availability } });
    await client.invalidateQueries(bootstrapQuery);
    setSaved(true);
  });
  if (!data) return <PageLate />;
  const { member, settings } = data;
  const failed = save.failed ?? move.failed;
  return (
    <SettingsPage title={t("people.profile")}>
      <Failure of={failed} />
      <p role="status" className={saved && !failed ? "saved" : "visually-hidden"}>
        {saved && !failed ? t("people.saved") : ""}
      </p>
      <SettingsPart title={t("profile.you")}>
        <p>
          <bdi dir="ltr">{member.email}</bdi> · {t(`people.role.${member.role}`)}
        </p>
        <AskForm call={rename} verb={t("profile.saveName")}>
          <Field
            name="name"
            label={t("people.yourName")}
            autoComplete="name"
            defaultValue={member.name}
            maxLength={200}
          />
        </AskForm>
      </SettingsPart>
      <SettingsPart title={t("profile.availability")}>
        <p>{t("profile.availability.text")}</p>
        <Toggle
          label={t("profile.availability.online")}
          on={member.availability === "online"}
          change={(online) => move.start(online ? "online" : "away")}
        />
      </SettingsPart>
      <SettingsPart title={t("profile.interface")}>
        <InterfaceChoices settings={settings} save={(changes) => save.start(changes)} />
      </SettingsPart>
    </SettingsPage>
  );
}

/** How the interface looks and behaves for this member. */
function InterfaceChoices({
  settings,
  save,
}: {
  readonly settings: Settings;
  readonly save: (changes: SettingsChanges) => void;
}) {
  return (
    <div className="settings-fields">
      <Choice
        label={t("people.language")}
        options={[
          { value: "", name: t("people.language.browser") },
          { value: "en", name: "English" },
          { value: "ar", name: "العربية" },
        ]}
        value={settings.locale ?? ""}
        change={(chosen) => save({ locale: chosen === "" ? null : chosen })}
      />
      <Choice
        label={t("people.theme")}
        options={[
          { value: "", name: t("people.theme.system") },
          { value: "light", name: t("people.theme.light") },
          { value: "dark", name: t("people.theme.dark") },
        ]}
        value={settings.theme ?? ""}
        change={(chosen) => save({ theme: chosen === "" ? null : chosen })}
      />
      <Choice
        label={t("people.sendKey")}
        options={[
          { value: "enter", name: t("people.sendKey.enter") },
          { value: "mod-enter", name: t("people.sendKey.modEnter") },
        ]}
        value={settings.sendKey}
        change={(sendKey) => save({ sendKey })}
      />
      <Choice
        label={t("people.density")}
        options={[
          { value: "comfortable", name: t("people.density.comfortable") },
          { value: "compact", name: t("people.density.compact") },
        ]}
        value={settings.density}
        change={(density) => save({ density })}
      />
      <Toggle
        label={t("people.nextAfterResolve")}
        on={settings.nextAfterResolve}
        change={(nextAfterResolve) => save({ nextAfterResolve })}
      />
      <Toggle
        label={t("ai.tabTakesSuggestion")}
        on={settings.tabTakesSuggestion}
        change={(tabTakesSuggestion) => save({ tabTakesSuggestion })}
      />
      <Toggle label={t("people.keys")} on={settings.keys} change={(keys) => save({ keys })} />
    </div>
  );
}
