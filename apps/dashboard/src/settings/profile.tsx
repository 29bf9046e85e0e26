import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, type InputOf } from "../api/call.ts";
import { bootstrapQuery } from "../api/query-client.ts";
import { failureText, useCall } from "../kit/use-call.ts";
import { changeLocale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import { changeTheme } from "../theme.ts";
import { SettingsPage, SettingsPart } from "./settings-page.tsx";

type Changes = NonNullable<InputOf<"saveSettings">["body"]>;

/** `/settings/profile`: who the member is, and how the interface is shown to them. Each choice is saved at once. */
export function Profile() {
  const { data } = useQuery(bootstrapQuery);
  const client = useQueryClient();
  const [saved, setSaved] = useState(false);
  const save = useCall(async (changes: Changes) => {
    const settings = await call("saveSettings", { body: changes });
    client.setQueryData(bootstrapQuery.queryKey, (known) => known && { ...known, settings });
    setSaved(true);
    if (changes.theme !== undefined) changeTheme(changes.theme);
    if (changes.locale) changeLocale(changes.locale);
  });
  if (!data) return null;
  const { member, settings } = data;
  return (
    <SettingsPage title={t("people.profile")}>
      <SettingsPart title={member.name}>
        <p>
          <bdi dir="ltr">{member.email}</bdi> · {t(`people.role.${member.role}`)}
        </p>
        {save.failed && <p role="alert">{failureText(save.failed)}</p>}
        {saved && !save.failed && <p role="status">{t("people.saved")}</p>}
        <label>
          {t("people.language")}{" "}
          <select
            value={settings.locale ?? ""}
            onChange={({ target: { value } }) =>
              save.start({ locale: value === "en" || value === "ar" ? value : null })
            }
          >
            <option value="">{t("people.language.browser")}</option>
            <option value="en" lang="en">
              English
            </option>
            <option value="ar" lang="ar">
              العربية
            </option>
          </select>
        </label>
        <label>
          {t("people.theme")}{" "}
          <select
            value={settings.theme ?? ""}
            onChange={({ target: { value } }) =>
              save.start({ theme: value === "light" || value === "dark" ? value : null })
            }
          >
            <option value="">{t("people.theme.system")}</option>
            <option value="light">{t("people.theme.light")}</option>
            <option value="dark">{t("people.theme.dark")}</option>
          </select>
        </label>
        <label>
          {t("people.sendKey")}{" "}
          <select
            value={settings.sendKey}
            onChange={({ target: { value } }) =>
              save.start({ sendKey: value === "enter" ? "enter" : "mod-enter" })
            }
          >
            <option value="enter">{t("people.sendKey.enter")}</option>
            <option value="mod-enter">{t("people.sendKey.modEnter")}</option>
          </select>
        </label>
        <label>
          {t("people.density")}{" "}
          <select
            value={settings.density}
            onChange={({ target: { value } }) =>
              save.start({ density: value === "compact" ? "compact" : "comfortable" })
            }
          >
            <option value="comfortable">{t("people.density.comfortable")}</option>
            <option value="compact">{t("people.density.compact")}</option>
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={settings.keys}
            onChange={({ target: { checked } }) => save.start({ keys: checked })}
          />{" "}
          {t("people.keys")}
        </label>
      </SettingsPart>
    </SettingsPage>
  );
}
